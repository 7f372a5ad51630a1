"""Words about groups of people and what is said of them, for the bias scorer. Some are offensive.

Groups are named in the plural or as a kind ("women", "every woman", "people from ..."): one person's act is not
a group's.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from .tables import Phrases


class GroupWords(NamedTuple):
    """How a group is named; words apart by spaces, phrases by `;`."""

    names: str
    """Alone, in the plural."""
    adjectives: str
    """Before a word for persons."""
    one: str
    """After a, any, every, each, typical."""
    phrases: str
    dense: str
    """In Japanese; regular expressions apart by spaces."""

    def phrases_for(self) -> Phrases:
        """All of it as one search, in which Japanese needs no word boundary."""
        told = "|".join(phrase.strip() for phrase in self.phrases.split(";"))
        one = f"(?:an?|any|every|each|typical) {_any(self.one)}"
        spaced = f"{_any(self.names)}|{_any(self.adjectives)} (?:{PERSONS})|{one}|{told}"
        return Phrases(rf"(?<![\w'])(?:{spaced})(?!\w)|{_any(self.dense)}", frame="{}")


def _any(words: str) -> str:
    return f"(?:{'|'.join(words.split())})"


PERSONS = """
    people|persons?|folks?|men|women|guys|kids|children|adults|workers|employees|candidates|applicants|students|immigrants
    |voters|supporters|politicians|residents|drivers|families|man|woman
"""

GROUPS: Final = {
    "gender": GroupWords(
        names="""
            women woman females? girls ladies housewives mothers wives moms men males? boys fathers husbands gentlemen
            feminists?
        """,
        adjectives="trans transgender non-?binary",
        one="woman man girl boy female male mother",
        phrases="the fair(?:er)? sex; the weaker sex; the opposite sex",
        dense="女性 女子 女の人 女(?=は|に|って|の) 男性 男子 男の人 男(?=は|に|って|の) 主婦 母親 トランスジェンダー",
    ),
    "racial": GroupWords(
        names="""
            blacks whites asians africans arabs latinos latinas hispanics jews muslims hindus sikhs christians catholics
            gypsies roma immigrants? migrants foreigners refugees aborigines minorities germans americans
            mexicans indians poles russians italians turks pakistanis nigerians koreans vietnamese filipinos
        """,
        adjectives="""
            black white brown colou?red asian african arab latino latina hispanic jewish muslim indigenous
            native foreign
            chinese indian mexican immigrant
        """,
        one="muslim jew immigrant foreigner refugee mexican asian african arab gypsy",
        phrases="""
            ethnic groups?; (?:this|that|their|his|her) race;
            (?:the|all) (?:chinese|japanese|french|english|british|irish|spanish|dutch|polish|jewish)
        """,
        dense="""
            黒人 白人 外国人 移民 中国人 韓国人 朝鮮人 日本人 ユダヤ人 在日 イスラム教徒 ムスリム
            [\u30a1-\u30ff]{2,}(?:人|系)
        """,
    ),
    "political": GroupWords(
        names="""
            liberals conservatives republicans democrats leftists? rightists? socialists communists marxists
            libertarians
            progressives centrists left-?wingers? right-?wingers? tories nationalists anarchists fascists
        """,
        adjectives="""
            left-?wing right-?wing liberal conservative republican democratic labour tory green trump biden brexit
        """,
        one="liberal conservative republican democrat leftist socialist communist",
        phrases="the left; the right",
        dense="左翼 右翼 リベラル 保守派 共産党員 ネトウヨ パヨク 左派の人 右派の人",
    ),
    "regional": GroupWords(
        names="""
            southerners northerners easterners westerners villagers rednecks hillbillies yokels europeans
            londoners parisians
            texans californians
        """,
        adjectives="rural urban southern northern eastern western small-town city country village",
        one="southerner northerner redneck hillbilly villager",
        phrases=f"""
            (?:those|everyone|{PERSONS}) (?:from|in|of) (?:the )?(?:south|north|east|west|country(?:side)?
            |cit(?:y|ies)|suburbs?
            |provinces?|villages?|inner city|[a-z]+ countries|africa|asia|europe|america|india|china|texas
            |california|new york
            |london|paris|tokyo|osaka|eastern|western|southern|northern|rural|urban); third[- ]world people; new yorkers
        """,
        dense="""
            田舎者 (?:田舎|都会|地方)の人 (?:東京|大阪|京都|名古屋|九州|東北|関西|関東|沖縄|北海道)(?:の人|人|の人間)
        """,
    ),
    "": GroupWords(
        names="""
            seniors boomers millennials teenagers pensioners retirees gays lesbians homosexuals bisexuals
            cripples retards
        """,
        adjectives="""
            old older elderly young younger middle-aged senior aging ageing disabled deaf blind autistic fat
            obese overweight
            poor rich gay homeless unemployed uneducated ugly
        """,
        one="senior boomer teenager pensioner cripple retard",
        phrases="""
            an? (?:disabled|deaf|blind|autistic|gay|old|elderly|poor|homeless) person; the (?:elderly|old|young
            |poor|rich|disabled|homeless|unemployed); mentally ill people; gen z
        """,
        dense="""
            高齢者 老人 年寄り 若者 若い人 ゆとり世代 障害者 同性愛者 ゲイ ニート 生活保護受給者 貧乏人 中高年 年配の
        """,
    ),
}
"""By kind of bias; the last have none in the menu (age, health, means, orientation)."""

TRAITS: Final = Phrases(r"""
    worse|worst|better|best|superior|inferior|lesser|smarter|cleverer|stronger|weaker|slower|lazier|lazy|laziest
    |stupid|stupidest|dumb|dumbest|idiots?|ignorant|uneducated|uncivili[sz]ed|savages?|primitive|backward|incompetent
    |incapable|unfit|unsuited|unqualified|unable|useless|worthless|slow|outdated|clueless|naive|gullible|brainwashed
    |dirty|filthy|disgusting|sick(?:ening)?|violent|aggressive|dangerous|criminals?|thieves|thugs|rapists|terrorists?
    |dishonest|greedy|cheap|untrustworthy|unreliable|shifty|backstabbing|liars?|lie|cheat(?:ers?)?|steal|stink
    |irrational|emotional|hysterical|bossy|nagging|weak|fragile|submissive|passive|cold|rude|arrogant|stubborn|entitled
    |selfish|spoiled|immoral|evil|crazy|insane|ugly|horrible|terrible|awful|pathetic|despicable|repugnant|repulsive
    |revolting|vile|scum|vermin|cockroach(?:es)?|plague|parasites?|disease|virus|animals|pigs|dogs|rats|trash|garbage
    |filth|subhuman|invaders?|freaks?|perverts?|sluts?|whores?|bitch(?:es)?|assholes?|burden|threat|menace|nuisance
    |hate|despise|detest|loathe|loathing|abhor|hatred|scorn|disdain|contempt|worth (?:nothing|less)|not worthy
    |murder|slaughter|kill|stab|shoot|hurt|burn(?:ed)?|hang(?:ed)?|exterminate|eradicate|rape|punch|beat up|death to
    |suffer|fuck|shut up|locked up|ruin(?:ing|ed)?|destroy(?:ing)?|a bunch of|nurturing|caring|maternal|gossip|drivers
    |natural(?:ly)? (?:leaders?|better|worse|suited|gifted|good|bad)|good at math|bad at|good with (?:money|children)
    |less (?:intelligent|capable|competent|able|rational|committed|reliable|productive|suited|ambitious|educated|likely)
    |more (?:suited|rational|logical|emotional|aggressive|intelligent|capable|productive|reliable|violent)
    |better suited|not suited|ill-suited|too (?:emotional|old|weak|sensitive|soft|slow|stupid|lazy|young)
""")
"""What makes a statement about a group a stereotype or contempt: qualities, comparisons, things and animals."""

LIMITS: Final = Phrases(r"""
    (?:can't|cannot|can not|can never|could never|will never|don't|do not|never|won't|are not able to|aren't able to
    |are unable to|struggle to|fail to|refuse to|hardly) (?:really |ever |easily |quickly )?
    (?:learn|lead|drive|think|understand|handle|manage|work|cope|adapt|keep|be (?:trusted|leaders?|good
    |objective)|change
    |use|integrate|assimilate|contribute|deserve|belong|know|want to|make|focus|do)
    |should(?:n't| not| never)? (?:all )?(?:stay|be (?:at home|banned|deported|executed|shot|killed|removed|locked|kept
    |wiped|put|forced|barred|dumped)|know their place|leave|go back|not be (?:allowed|hired|trusted)|be allowed
    |obey|get out)
    |(?:ought|need|deserve) to (?:be (?:executed|shot|killed|deported|wiped|banned|locked|punished|put)|die
    |go back|suffer)
    |belongs? (?:in|at|on)|place is in|no place in|get rid of|wipe out|(?:never|don't|can't) trust|go back to
    |(?:hire|hiring|prefer|promote|choose|employ|trust|recruit) (?:only |just )?
    (?:young|white|black|male|female|native|men|women|boys|girls)
    |(?:not|never|don't|shouldn't|avoid) (?:to )?(?:hire|hiring|promote|employ|promoting|employing)
    |are (?:all|just|only|nothing but|always|never|inherently|biologically|genetically|naturally|typically|born)
    |by nature|in their (?:blood|genes|nature)|naturally|inherently|biologically|genetically|tend to be
    |(?:all|every|always)\b.{0,80}\b(?:the same|alike)|for a (?:woman|girl|man|black|foreigner)|like a (?:girl|woman)
    |real (?:men|women)
""")
"""What denies a group abilities or rights, makes it a kind by nature, or prefers it."""

FAIR: Final = Phrases(r"""
    stereotypes?|prejudice[ds]?|racist|sexist|bigot(?:s|ed|ry)?|discriminat\w+|hateful|misguided|regardless of
    |equal(?:ly|ity)?|same (?:rights|pay|chances?|opportunit\w+)|not all|no evidence|(?:isn't|is not|not) true
    |(?:is|it's) wrong(?: to)?|unfair(?:ly)?|just as|no (?:better|worse|less|different)
    |as (?:capable|competent|good|able|smart|intelligent|productive|reliable) as
    |(?:not|aren't) (?:worse|inferior|less|lazy|all|inherently|naturally|better)|not at all|in jail|saying that|calling
    |(?:don't|do not|doesn't|never|stop) (?:hate|hating|said|say)|(?:nobody|no one) should|horrible thing to
    |deserves? (?:respect|equal|better|protection|fair|the same)|should be (?:respected|welcomed|treated|paid|protected)
    |amazing|admire|respect(?:ed|s)?|welcome|proud|look up to|underrepresented
    |according to (?:a|the) (?:study|survey|census)|per ?cent|\d+ ?(?=%)
""")
"""Balance, counter speech and numbers; with one of these a statement is not taken for a stereotype."""

SUBJECTIVE: Final = Phrases(r"""
    think|believe|feel|opinion|view|convinced|clearly|obviously|undoubtedly|surely|certainly|of course|everyone knows
    |frankly|honestly|personally|should|must|ought|need to|deserves?|always|never|all|every(?:one|body)?|nobody|no one
    |most|typical(?:ly)?|naturally|inherently|tend|only|too|good|bad|better|best|worse|worst|great|terrible|awful
    |horrible|wonderful|amazing|beautiful|ugly|nice|perfect|excellent|poor|brilliant|outstanding|important|essential
    |superior|inferior|successful|smart|intelligent|stupid|lazy|greedy|corrupt|evil|dangerous|ridiculous|absurd|shameful
    |disgraceful|disgusting|pathetic|unfair|fair|wrong|right|friendly|friendlier|rude|arrogant|weak|strong|love
    |hate|like
    |enjoy|prefer|dislike|despise|favou?rite|boring|interesting|impressive|disappointing|unacceptable|radical|extreme
    |extremist|so-called|regime|thugs?|mob|disaster|crisis|burden|threat|lovely|fun|can't|cannot|capable
    |incapable|suited
    |reliable|unreliable|emotional|aggressive|hard-?working|useless|worthless
""")
"""Words by which a statement is an opinion: judgement, attitude, "all", "never", loaded words."""

DENSE_TRAITS: Final = Phrases(
    r"""
    劣|優れ|無能|怠け|怠惰|感情的|汚い|危険|下手|苦手|犯罪|信用でき|信用なら|馬鹿|バカ|ばか|アホ|頭が悪|頭がおかし|乱暴|野蛮|卑怯|嘘つき
    |迷惑|邪魔|臭|キモ|気持ち悪|死ね|出て行|追い出|帰れ|向いていな|向かな|不向き|できない|できません|覚えられ
    |べきでは|べきだ|べきで
    |家にい|家庭に|くせに|らしく|クズ|ゴミ|うるさ|ケチ|冷た|みんな同じ|ばかりだ|ばかりで|使えな|採用しな|雇わな|雇うべき
""",
    frame="{}",
)

DENSE_FAIR: Final = Phrases(
    r"""
    偏見|差別|平等|ステレオタイプ|とは限ら|わけではな|に関係なく|同じように|同等|公平|尊重|\d+(?:パーセント|%)
""",
    frame="{}",
)

DENSE_SUBJECTIVE: Final = Phrases(
    r"""
    思う|思います|思われ|べき|はず|だろう|でしょう|に違いない|すぎ|最高|最悪|素晴らし|ひどい|良い|いい|悪い|好き|嫌い|優れ|劣|駄目|ダメ
    |無能|怠け|怠惰|感情的|汚い|危険|下手|苦手|上手|必ず|絶対|みんな|すべて|全て|いつも|決して|ばかり|だけ
    |向いて|不適|価値|美し
    |面白|つまらな|残念|信用|できない|できません|くせに|らしく
""",
    frame="{}",
)
