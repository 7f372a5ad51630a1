"""Where sentences and clauses begin and end, and which of them are orders."""

from __future__ import annotations

from .tables import words

ABBREVIATIONS = words("""
    dr mr mrs ms prof st mt ft gen col sgt capt lt rev hon sr jr gov sen rep pres e.g i.e eg ie vs cf al approx
    est fig no
    vol pp ch sec art dept
""")
"""Never the end of a sentence."""

CLOSING_ABBREVIATIONS = words("""
    inc ltd co corp bros u.s u.k u.n e.u d.c a.m p.m am pm b.c a.d etc ph.d m.d jan feb mar apr jun jul aug sep sept oct
    nov dec
""")
"""The end of a sentence only where a plain sentence opener follows."""

OPENERS = words("""
    the a an it he she they we i you this that these those there in on at by for from as after before when while its his
    her their our but and however also today since during although
""")

FINITE = words("""
    is are was were has have had does did do can could will would may might must should isn't aren't wasn't
    weren't hasn't
    haven't hadn't doesn't didn't don't can't couldn't won't wouldn't cannot became becomes remains began begins
    won wins
    wrote writes made makes built grew holds held led leads left lost rose fell gave gives took takes saw sees said says
    came comes went goes ran runs contains includes included lies lives lived died serves served plays played stars
    starred features featured covers covered uses used moved opened closed founded created invented discovered released
    announced published launched received joined worked married studied directed owns owned produces produced orbits
    equals means weighs costs supports offers
""")
"""Verbs that make a clause of the words around them."""

BE = words("is are was were isn't aren't wasn't weren't")

IMPERATIVES = words("""
    try check visit click see use make take remember consider consult contact ensure avoid follow add call ask go read
    look open keep start stop write send give tell buy choose select enter press turn put wait watch imagine think
""")
OBJECTS = words("""
    the a an your it to with for at out this that these those me us sure in on up about whether if one some any
""")
"""What follows an order, where a noun that looks like a verb is followed by a verb."""
