"""How often a model may be asked: requests and tokens a minute, as a rate limiter of LangChain's."""

from __future__ import annotations

import asyncio
import threading
import time
from collections import deque
from functools import cache
from typing import TYPE_CHECKING, Any

from attrs import define, field

from ..support.log import warn_once

if TYPE_CHECKING:
    from langchain_core.callbacks import BaseCallbackHandler
    from langchain_core.outputs import LLMResult
    from langchain_core.rate_limiters import BaseRateLimiter

MINUTE = 60.0  # seconds


@define(eq=False)
class Rates:
    """A rate limiter of LangChain's for requests and tokens a minute.

    Requests are spread by LangChain's own limiter. Tokens count when a call is done, as the model reports them: a new
    call waits while the last 60 seconds spent the limit or more. What is in flight is not yet counted, so calls that
    start together can go over it.

    Args:
        requests: The limiter of requests; None: no limit.
        tokens: Tokens a minute; None: no limit.
    """

    requests: BaseRateLimiter | None = None
    tokens: float | None = None
    _spent: deque[tuple[float, int]] = field(factory=deque, init=False)  # until when they count, and how many
    _lock: threading.Lock = field(factory=threading.Lock, init=False)

    def acquire(self, *, blocking: bool = True) -> bool:
        """Wait until a call may be made; with `blocking=False` tell whether it may."""
        while (pause := self._pause()) > 0:
            if not blocking:
                return False
            time.sleep(pause)
        return self.requests is None or self.requests.acquire(blocking=blocking)

    async def aacquire(self, *, blocking: bool = True) -> bool:
        """As `acquire`."""
        while (pause := self._pause()) > 0:
            if not blocking:
                return False
            await asyncio.sleep(pause)
        return self.requests is None or await self.requests.aacquire(blocking=blocking)

    def spend(self, tokens: int) -> None:
        """Count the tokens of a call that is done."""
        with self._lock:
            self._spent.append((time.monotonic() + MINUTE, tokens))

    def _pause(self) -> float:
        """Seconds until the next tokens leave the last minute; 0 where a call may be made now."""
        now = time.monotonic()
        with self._lock:
            while self._spent and self._spent[0][0] <= now:
                self._spent.popleft()
            full = self.tokens is not None and sum(tokens for _, tokens in self._spent) >= self.tokens
            return self._spent[0][0] - now if full else 0


@cache
def rates_of(place: str, requests: float | None, tokens: float | None) -> Rates:
    """The limiter of the model told at `place`: one in this process, for all that ask the same endpoint."""
    from langchain_core.rate_limiters import BaseRateLimiter, InMemoryRateLimiter

    BaseRateLimiter.register(Rates)  # its class can't be the base: importing LangChain waits until a model is made
    if requests is None:
        return Rates(tokens=tokens)
    each_second = requests / MINUTE
    limiter = InMemoryRateLimiter(requests_per_second=each_second, max_bucket_size=max(1.0, each_second))
    return Rates(limiter, tokens)


def counted_by(rates: Rates) -> BaseCallbackHandler:
    """A callback of the model that counts the tokens of each finished call."""
    from langchain_core.callbacks import BaseCallbackHandler

    class Counted(BaseCallbackHandler):
        run_inline = True

        def on_chat_model_start(self, *_: Any, **__: Any) -> None:
            pass

        def on_llm_end(self, response: LLMResult, **_: Any) -> None:
            if (tokens := _tokens(response)) is None:
                warn_once("the model reports no usage, so tokens_per_minute can't be held")
            else:
                rates.spend(tokens)

    return Counted()


def _tokens(response: LLMResult) -> int | None:
    usages = [getattr(getattr(g[0], "message", None), "usage_metadata", None) for g in response.generations if g]
    return sum(usage["total_tokens"] for usage in usages if usage) if any(usages) else None
