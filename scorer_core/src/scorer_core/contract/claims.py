"""The claims step that claim scorers share: the same prompt for each of them, so it is paid for once."""

from __future__ import annotations

from typing import Annotated

from attrs import frozen

from .ask import Ask
from .joining import concatenated


@frozen
class Claims:
    """What the answer states or implies as true, one statement each."""

    claims: Annotated[tuple[str, ...], "in the order of the text; [] if it claims nothing"]


claims_of_answer = Ask(Claims, cuts="answer", joins=concatenated, package="scorer_core", folder="claims")
"""The step that cuts an answer into `Claims`, for `preprocess=`.

Scorers of one row that share it ask once; its template is `claims/preprocess.j2`. An answer too long for one call is
cut up, and each claim is kept once.
"""
