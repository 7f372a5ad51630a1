"""For tests: a judge with prepared replies, and what every scorer and every pack is held to (extra `testing`)."""

from __future__ import annotations

from .conformance import PackConformance as PackConformance
from .examples import Example as Example
from .scorer_conformance import ScorerConformance as ScorerConformance
from .scripted import ScriptedJudge as ScriptedJudge
