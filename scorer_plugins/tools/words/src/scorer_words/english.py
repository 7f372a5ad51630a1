"""The function words of English: those that hold a sentence together and name nothing."""

from __future__ import annotations


def _listed(words: str) -> frozenset[str]:
    return frozenset(words.split())


FUNCTION_WORDS = _listed("""
    a an the this that these those such each every either neither another any all both some few many much more
    most less least several enough other others own same no none i me my mine myself you your yours yourself
    yourselves he him his himself she her hers herself it its itself we us our ours ourselves they them their
    theirs themselves one ones someone somebody something anyone anybody anything everyone everybody everything
    nobody nothing who whom whose which what whoever whatever whichever am is are was were be been being have
    has had having do does did doing done will would shall should can could may might must ought need cannot
    isn't aren't wasn't weren't haven't hasn't hadn't don't doesn't didn't won't wouldn't shan't shouldn't can't
    couldn't mightn't mustn't needn't i'm you're he's she's it's we're they're i've you've we've they've i'd
    you'd he'd she'd we'd they'd i'll you'll he'll she'll it'll we'll they'll that's there's here's what's who's
    where's let's about above across after against along amid among around as at before behind below beneath
    beside besides between beyond but by concerning despite down during except for from in inside into like near
    of off on onto out outside over past per regarding since than through throughout till to toward towards
    under underneath until unto up upon versus via with within without and or nor so yet if unless although
    though because whereas while whether once when whenever where wherever why how however therefore thus hence
    moreover furthermore otherwise instead not never very too also just only even still already quite rather
    almost again ever here there then now else perhaps maybe please
""")
