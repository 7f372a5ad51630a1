"""How numbers are written, and the measures that stand beside them."""

from __future__ import annotations

from .tables import counted, first_of

UNITS = first_of("""
    % percent percentage パーセント;
    km kilometer kilometre kilometers kilometres キロ キロメートル; mile miles mi マイル;
    m meter metre meters metres メートル; cm centimeter centimetre centimeters centimetres センチ;
    mm millimeter millimetre millimeters millimetres ミリ;
    inch inches インチ; foot feet ft フィート; yard yards; kg kilogram kilograms キログラム; g gram grams グラム;
    pound pounds lb lbs ポンド; ton tons tonne tonnes トン; liter litre liters litres リットル; second seconds 秒;
    minute minutes 分; hour hours 時間; day days 日間; week weeks 週間; month months か月 ヶ月; year years;
    century centuries 世紀;
    dollar dollars usd ドル; euro euros eur ユーロ; yen jpy 円; degree degrees 度; mph; kmh
""") | {"$": "dollar", "€": "euro", "¥": "yen", "£": "pound"}
"""Measures by which two numbers are told apart; counters of things (台, 枚, people) are not."""

ONES = counted("""
    zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
    seventeen eighteen nineteen
""") | {word: 10 * n for word, n in counted("twenty thirty forty fifty sixty seventy eighty ninety", 2).items()}
_FROM_FOURTH = """
    fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth
    eighteenth nineteenth twentieth
"""
ORDINALS = counted(_FROM_FOURTH, 4)
"""First, second and third stay words: each has other senses."""

MAGNITUDES = {"hundred": 10**2, "thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}
DENSE_MAGNITUDES = {"千": 10**3, "万": 10**4, "億": 10**8, "兆": 10**12}
DENSE_DIGITS = counted("〇 一 二 三 四 五 六 七 八 九") | {"零": 0}
COUNTERS = "年月日人名頭匹台本枚羽個つ歳才回階両隻軒冊杯機着足輪"
"""Signs that make a Chinese numeral before them a number (四人); alone, 一 is a part of words (一般)."""

MONTHS = (
    "january", "february", "march", "april", "may", "june",
    "july", "august", "september", "october", "november", "december",
)  # fmt: skip
