"""The words of a text in any script, for scorers that count them: where they end, which mean little, their stems."""

from .languages import function_words as function_words
from .languages import language_of as language_of
from .languages import stem as stem
from .pairs import dice as dice
from .splitting import stands_in as stands_in
from .splitting import words as words
