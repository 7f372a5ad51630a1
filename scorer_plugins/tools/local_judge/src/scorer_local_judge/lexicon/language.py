"""What words mean beside each other: which carry nothing, which deny, which are opposites, which are the same."""

from __future__ import annotations

from .tables import both_ways, first_of, words

STOP = words("""
    a an the and or but nor if then than that this these those such so as also too just very quite really well
    is are was were be been being am do does did done doing have has had having
    will would can could shall should may might must of in on at to from by for with about into onto out off
    it its itself he him his she her hers they them their theirs i me my mine we us our ours you your yours
    who whom whose which what when where why how there here some any each other another one ones
    s t d ll re ve m o'clock said says say called named known named as according own however indeed actually currently
    de la le les el los das der die und et y
""")
"""Words that carry no content of their own. Direction words (up, more, before, all) are not among them."""

CAPITALS = {"US": "usa", "May": "may (month)"}
"""Words that a capital within the sentence tells from a function word."""

NEGATIONS = words("""
    no not never none nobody nothing neither nor without cannot cant dont doesnt didnt isnt wasnt arent werent wont
    denies denied deny fails failed fail refuses refused refuse lacks lacked lack hardly barely unable nowhere
""")

TURNS = words("but although though while because which who whereas instead")
"""Words at which a negation ends."""

HEDGES = words("about around approximately roughly nearly almost over circa approx")
DENSE_HEDGES = ("約", "およそ", "ほぼ")
"""Words before a number that announce rounding."""

OPPOSITES = both_ways("""
    increase decrease; rise fall; up down; more less; more fewer; high low; higher lower; above below; before after;
    first last; start end; begin end; open close; win lose; accept reject; approve reject; allow ban; legal illegal;
    alive dead; male female; man woman; boy girl; father mother; son daughter; brother sister;
    husband wife; north south; east west; northern southern; eastern western; left right; inside outside; young old;
    new old; hot cold; warm cold; fast slow; quick slow; big small; long short; tall short; thick thin; wide narrow;
    happy sad; good bad; better worse; best worst; positive negative; success failure; safe dangerous; sit stand;
    buy sell; arrive leave; agree disagree; support oppose; include exclude; profit loss; gain loss; true false;
    same different; empty full; wet dry; day night; morning evening; major minor;
    public private;
    cheap expensive; minimum maximum; most least; largest smallest; highest lowest; oldest youngest;
    longest shortest;
    strong weak; guilty innocent; married divorced; early late; earlier later; import export; success fail;
    love hate;
    possible impossible; able unable; indoor outdoor; black white; heavy light; rich poor; ancient modern;
    even odd; yes no
""")
"""Opposites in dictionary form; they are compared as stems."""

DENSE_OPPOSITES = both_ways("""
    男性 女性; 男子 女子; 増加 減少; 上昇 下降; 上昇 低下; 開始 終了; 最大 最小; 最高 最低; 最初 最後; 可能 不可;
    賛成 反対;
    成功 失敗; 勝利 敗北; 屋内 屋外; 室内 屋外; 室内 室外; 右側 左側; 前方 後方; 北部 南部; 東部 西部; 以上 以下;
    増 減; 右 左;
    朝 夜; 昼 夜; 黒 白; 大 小; 高 低; 開 閉; 座 立; 寝 起; 走 停; 晴 雨; 内 外; 中 外; 前 後; 上 下
""")
"""The same for scripts without spaces: two signs, or a sign that stands alone."""

SAME = first_of("""
    movie film motion-picture; start begin commence begun began; large big huge enormous; kid child children;
    car automobile;
    physician doctor; purchase buy bought; quick fast rapid; writer author; found establish; create creator;
    photo photograph
    picture; job occupation; city town; usa us u.s america american; uk britain british england english;
    france french;
    germany german; spain spanish; italy italian; japan japanese; china chinese; russia russian; greece greek;
    india indian;
    canada canadian; mexico mexican; australia australian; ireland irish; tv television; pupil student;
    nation country;
    assist help aid; illness disease; wed marry; error mistake; color colour; center centre; gray grey;
    percent percentage;
    happen occur; show display; reply answer respond response; smart intelligent; famous renowned
""")
"""Words taken for one another: near synonyms, countries and their people, spellings."""

IRREGULAR = first_of("""
    win won winner winning; lose lost; write wrote written writing; make made making; build built; bear born;
    become became; go went gone;
    come came; sell sold; buy bought; grow grew grown; hold held; lead led; leave left; rise rose risen;
    fall fell fallen;
    give gave given; take took taken; see saw seen; know knew; find; fight fought; draw drew drawn;
    drive drove driven;
    sing sang sung singer; swim swam swum; speak spoke spoken; break broke broken; choose chose chosen;
    eat ate eaten; fly flew
    flown; run ran; sit sat; stand stood; teach taught; think thought; bring brought; catch caught; feel felt;
    keep kept;
    meet met; pay paid; lay laid; say; send sent; spend spent; shoot shot; steal stole stolen; wear wore worn;
    tell told;
    die died dies dying death dead; person people persons; man men; woman women; foot feet; tooth teeth;
    mouse mice; goose geese;
    life lives; wife wives; leaf leaves; play played player; invent inventor invention; begin began begun
""")
