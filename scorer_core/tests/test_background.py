"""The one loop that every `.run()` goes to, and how functions of the user are called."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import pytest

from scorer_bias import create_bias_scorer
from scorer_core import create_scorer
from scorer_core.support.background import DaemonThreads, Interrupted, background_loop, call, enduring_loop, run_here
from scorer_core.testing import ScriptedJudge

SCORER = create_scorer(id="length").generate_score(lambda trail: min(len(trail.answer) / 10, 1)).bind()


async def loop_of():
    return asyncio.get_running_loop()


def test_R086_a_sync_call_works_outside_and_inside_a_running_loop_twice_and_from_threads():
    async def inside():
        return [SCORER.run(output="abc").score, SCORER.run(output="abc").score, (await SCORER.arun(output="abc")).score]

    assert asyncio.run(inside()) == [0.3, 0.3, 0.3]
    assert asyncio.run(inside()) == [0.3, 0.3, 0.3]
    with ThreadPoolExecutor(4) as threads:
        results = threads.map(lambda n: SCORER.run(output="abc").score, range(8))
        assert list(results) == [0.3] * 8


def test_every_call_goes_to_one_loop():
    assert run_here(loop_of(), "x") is run_here(loop_of(), "x") is background_loop()


def test_R086_a_sync_call_on_the_background_loop_itself_raises_and_names_arun():
    async def on_the_loop():
        return SCORER.run(output="abc")

    with pytest.raises(RuntimeError, match=r"await arun\(\.\.\.\)"):
        run_here(on_the_loop(), "x")


def test_a_sync_function_of_the_user_may_call_another_scorer():
    def get_context(run, step):
        return [str(SCORER.run(output="abc").score)]

    other = create_scorer(id="other", needs=("context",)).generate_score(lambda t: float(t.context[0]))
    assert other.bind(get_context=get_context).run(output="x").score == 0.3


def test_what_the_work_raises_is_raised():
    async def broken():
        raise LookupError("x")

    with pytest.raises(LookupError):
        run_here(broken(), "x")


class Async:
    async def __call__(self, x):
        return x


class Sync:
    def __call__(self, x):
        return x


async def later(x):
    return x


@pytest.mark.parametrize(
    "function",
    [later, partial(later), Async(), Sync(), lambda x: x, lambda x: later(x)],
    ids=lambda f: type(f).__name__,
)
def test_any_function_of_the_user_is_called(function):
    assert asyncio.run(call(function, 3)) == 3


def test_a_sync_function_runs_in_a_thread():
    assert asyncio.run(call(lambda: threading.current_thread())) is not threading.main_thread()


def test_many_blocking_functions_run_side_by_side():
    async def many():
        await asyncio.gather(*(call(time.sleep, 0.2) for _ in range(30)))

    started = time.perf_counter()
    run_here(many(), "x")
    assert time.perf_counter() - started < 1.5


@pytest.mark.parametrize("leave", [SystemExit(3), KeyboardInterrupt()])
def test_an_enduring_loop_goes_on_where_a_task_would_end_it(leave):
    async def leaves():
        raise leave

    async def main():
        (left,) = await asyncio.gather(asyncio.create_task(leaves()), return_exceptions=True)
        return left, await later(3)

    with asyncio.Runner(loop_factory=enduring_loop) as runner:
        assert runner.run(main()) == (leave, 3)


@pytest.mark.parametrize("leave", [SystemExit, KeyboardInterrupt])
def test_an_enduring_loop_that_is_left_as_it_stops_does_not_go_on_for_ever(leave):
    late = []

    def at_the_end(_):
        raise leave

    async def main():
        loop = asyncio.get_running_loop()
        loop.call_later(1, late.append, "stopped by this test")
        loop.call_later(1, loop.stop)
        asyncio.current_task().add_done_callback(at_the_end)
        return 3

    with asyncio.Runner(loop_factory=enduring_loop) as runner:
        assert (runner.run(main()), late) == (3, [])


def test_whoever_runs_an_enduring_loop_can_end_it():
    async def main():
        asyncio.get_running_loop().call_soon(stop)
        await asyncio.sleep(60)

    def stop():
        raise Interrupted

    with asyncio.Runner(loop_factory=enduring_loop) as runner, pytest.raises(Interrupted):
        runner.run(main())


def test_a_thread_that_is_done_takes_the_next_call_and_ends_when_there_is_none(monkeypatch):
    monkeypatch.setattr("scorer_core.support.background.IDLE", 0.05)
    threads = DaemonThreads()
    one = threads.submit(threading.current_thread).result()
    time.sleep(0.01)  # it is done a moment after its result is there
    assert threads.submit(threading.current_thread).result() is one
    one.join(5)
    assert not one.is_alive()
    assert threads.submit(threading.current_thread).result() is not one


def test_a_call_that_hangs_holds_up_no_other():
    threads, gate = DaemonThreads(), threading.Event()
    hanging = threads.submit(gate.wait)
    assert [threads.submit(int, "3").result(5) for _ in range(3)] == [3, 3, 3]
    gate.set()
    assert hanging.result(5)


def python(code):
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True, timeout=30)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.skipif(sys.platform == "win32", reason="no fork")
def test_after_a_fork_there_are_threads_again():
    code = """
import asyncio, os
from scorer_core.support.background import call
assert asyncio.run(call(lambda: 3)) == 3
child = os.fork()
if not child:
    os._exit(0 if asyncio.run(asyncio.wait_for(call(lambda: 3), 10)) == 3 else 1)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
    assert python(code) == "0\n"


MAKE = "from scorer_core import create_scorer; s = create_scorer(id='l').generate_score(lambda t: 0.5).bind(); "


@pytest.mark.skipif(sys.platform == "win32", reason="no fork")
def test_after_a_fork_there_is_a_loop_again():
    code = f"""{MAKE}
import os
assert s.run(output="x").score == 0.5
child = os.fork()
if not child:
    os._exit(0 if s.run(output="x").score == 0.5 else 1)
import time
for _ in range(100):
    done, status = os.waitpid(child, os.WNOHANG)
    if done: break
    time.sleep(0.05)
else:
    os.kill(child, 9)
print("well" if done and status == 0 else "hangs or failed")
"""
    assert python(code) == "well\n"


def test_R087_the_end_of_the_process_does_not_wait_for_a_call_that_hangs():
    code = f"""{MAKE}
import time
from scorer_core import create_scorer
slow = create_scorer(id="slow", needs=("context",)).generate_score(lambda t: 1.0)
import threading
scorer = slow.bind(get_context=lambda run, step: time.sleep(60))
threading.Thread(target=lambda: scorer.run(output="x"), daemon=True).start()
time.sleep(0.3)
"""
    started = time.perf_counter()
    python(code)
    assert time.perf_counter() - started < 15


def test_R085_an_import_changes_nothing_of_the_process():
    code = """
import asyncio, logging, os, signal, sys, threading, warnings
class Policy(asyncio.DefaultEventLoopPolicy): pass
policy = Policy()
asyncio.set_event_loop_policy(policy)
def state():
    return (
        asyncio.get_event_loop_policy() is policy, asyncio.get_event_loop_policy().__class__, list(warnings.filters),
        dict(os.environ), list(logging.getLogger().handlers), logging.getLogger().level, threading.active_count(),
        {s: signal.getsignal(s) for s in (signal.SIGINT, signal.SIGTERM)}, sys.excepthook, asyncio.run,
        asyncio.new_event_loop,
    )
before = state()
import scorer_core
scorer_core.Judge, scorer_core.Prompts, scorer_core.Scorer, scorer_core.run_evals
after = state()
print([n for n, (a, b) in enumerate(zip(before, after)) if a != b])
"""
    assert python(code) == "[]\n"


class Mute(Exception):
    def __str__(self):
        raise ValueError("no words")


class Leaves(BaseException):
    """As those by which test runners and other loops end what they run."""


@pytest.mark.parametrize("leave", [SystemExit(3), KeyboardInterrupt(), asyncio.CancelledError(), Leaves()])
@pytest.mark.parametrize("sync", [True, False])
def test_what_a_function_of_the_user_raises_ends_nothing_but_that(leave, sync):
    def function():
        raise leave

    async def afunction():
        raise leave

    with pytest.raises(RuntimeError, match=f"raised {type(leave).__name__}"):
        run_here(call(function if sync else afunction), "x")


def test_who_runs_a_function_of_the_user_can_cancel_it():
    async def main():
        task = asyncio.create_task(call(asyncio.sleep, 60))
        await asyncio.sleep(0)
        task.cancel()
        await asyncio.wait({task})
        return task.cancelled()

    assert run_here(main(), "x")


@pytest.mark.parametrize("leave", [SystemExit(3), KeyboardInterrupt(), StopIteration(), Mute()])
def test_a_model_or_function_whose_exception_is_odd_fails_its_row_and_the_loop_lives_on(leave):
    def get_context(run, step):
        raise leave

    by_model = create_bias_scorer(ScriptedJudge(preprocess=leave)).run(output="a")
    by_function = create_bias_scorer(ScriptedJudge(), get_context=get_context).run(output="a")
    assert (by_model.error.kind, by_function.error.kind) == ("server", "context_error")
    assert create_bias_scorer(ScriptedJudge(preprocess={"opinions": []})).run(output="a").status == "scored"
