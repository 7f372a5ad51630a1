"""Talk about the talk: what opens a reply, greets, offers, refuses or apologises, and claims nothing of the matter."""

from __future__ import annotations

from typing import Final

from .tables import Phrases

OPENINGS: Final = Phrases(
    r"""
    yes|yeah|yea|yep|no|nope|oh|ah|ok|okay|well|sure|certainly|of course|absolutely|wow|hmm|hi|hey|hello|right|true
    |indeed|actually|thanks|thank you|and|but|so|also|however|note that|remember that|please note that|in summary
    |in conclusion|overall|i (?:do |did )?know(?: that)?
""",
    frame=r"^(?:{})(?:\s*[,!.:]\s*|\s+)(?=\S)",
)
"""Words before what a sentence says."""

NOT_OPENINGS: Final = Phrases(
    r"""
    no\. ?\d|(?:no|right|true|well|so|sure)\s+(?![a-z]+'|it\b|he\b|she\b|they\b|i\b|the\b)
""",
    frame=r"^(?:{})",
)
"""Where one of them belongs to the sentence after all ("No one knows", "Right angles", "No. 5")."""

ASIDES: Final = Phrases(
    r"""
    i'm not sure|i am not sure|i'm not certain|i don't know|i do not know|not sure|no idea
    |as an ai(?: language model| assistant)?|as a language model
""",
    frame=r"^(?:{})\b[^,]*,\s*(?:but|though|however)?\s*",
)
"""Half-sentences before a "but" that says something."""

REMARKS: Final = Phrases(
    r"""
    (?:hi|hey|hello|greetings|good (?:morning|afternoon|evening|question|choice|luck)|thanks?|thank you|welcome|bye
    |goodbye|cheers|yes|yeah|yep|no|nope|ok|okay|sure|certainly|of course|absolutely|wow|oh|hmm|great|cool|nice
    |interesting|right|true|exactly|definitely)
    (?: (?:there|all|everyone|to you|so much|very much|again|thing|question|you|that))?
    |you(?:'re| are) (?:very )?(?:welcome|right|correct)
    |(?:that|it)(?:'s| is) (?:so |very |a |really |pretty )?
    (?:right|true|correct|cool|great|good|nice|interesting|awesome|amazing|funny|fine|ok|okay)
    (?: (?:question|choice|point|idea|one))?
    |(?:it's|that's|i'm|i am) (?:so |very )?(?:glad|happy|sorry|here|just an?|not sure|not certain|unable|afraid)\b.*
    |i (?:do|don't|did|didn't|am|have|haven't|was|can|can't)
    |i (?:am|was) (?:not able|unable)\b.*
    |i (?:don't|do not|didn't) (?:really )?(?:know|think so|have (?:access|personal|the ability|enough|any))\b.*
    |i (?:can't|cannot|can not|won't|will not|could not|couldn't) (?:help|answer|provide|assist|do|share|browse|access
    |give|comment|say|find|tell)\b.*
    |i (?:can|could|will|would|'ll|hope|would be|would like to|'d be) (?:also )?
    (?:help|assist|this|that|be happy|happy|glad|explain|provide)\b.*
    |i'(?:ll|d) (?:also )?(?:help|be|explain|love to)\b.*
    |(?:i (?:apologi[sz]e|understand|see what)|sorry|as an? (?:ai|language model))\b.*
    |(?:if you|in case you|should you) (?:have|need|want|would|'d|are|like)\b.*
    (?:question|know|ask|help|more|let me|feel free).*
    |(?:please|feel free|let me|let us|let's|don't hesitate|do not|don't|hope this|hope that)\b.*
    |here(?:'s| is| are) .*(?:answer|list|summary|overview|information|step|example|explanation|thing|tip|detail
    |point|reason|option|way|fact).*
    |have an? (?:great|good|nice|wonderful|lovely) .*
    |(?:do|did|are|have|can|could|would|will|what|why|how|who|where|when|which) (?:you|i|we)\b.*
""",
    frame=r"^(?:{})$",
)
"""Whole clauses that speak to the reader."""

DENSE_REMARKS: Final = Phrases(
    r"""
    ください|下さい|ましょう|なさい|ませんか|でしょうか|ですか|ますか|お願いします|ありがとうございます|ありがとう|こんにちは|こんばんは
    |おはようございます|すみません|申し訳ありません|申し訳ございません|わかりません|分かりません
    |お答えできません|^はい|^いいえ
    |どういたしまして|もちろんです|かしこまりました|承知しました|幸いです
""",
    frame=r"(?:{})[。！!\s]*$",
)
"""Ends of Japanese sentences that ask, order, greet, thank or decline."""
