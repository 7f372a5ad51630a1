"""For tests: a judge with prepared replies, and what every scorer and every pack is held to (extra `testing`)."""

from __future__ import annotations

from .judging.scripted import ScriptedJudge as ScriptedJudge
from .kit.conformance import PackConformance as PackConformance
from .kit.examples import Example as Example
from .kit.scorer_conformance import ScorerConformance as ScorerConformance
