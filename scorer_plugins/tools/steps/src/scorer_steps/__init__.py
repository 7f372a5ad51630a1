"""The steps of an agent, as they were taken and as they were expected, for scorers that compare them."""

from .comparing import ComparedOptions as ComparedOptions
from .comparing import Comparison as Comparison
from .comparing import ExpectedOptions as ExpectedOptions
from .comparing import compare as compare
from .comparing import expected as expected
from .paths import expected_of as expected_of
from .paths import expected_steps as expected_steps
from .paths import path_of as path_of
from .steps import ExpectedStep as ExpectedStep
from .steps import TakenStep as TakenStep
from .steps import matched as matched
from .steps import named_among as named_among
from .steps import same as same
