"""One ChatOpenAI in many loops: `.run()` and `.arun()` mixed, threads, forks, a cap on calls in flight, cancelling."""

import asyncio
import gc
import os
import signal
import threading
import time

import pytest

from scorer_core import arun_evals, run_evals
from scorer_faithfulness import create_faithfulness_scorer
from scorer_hallucination import create_hallucination_scorer

from .openai_server import ROW, error, said, slow

forks = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system can't fork")
LONGEST = 10  # seconds that a test may wait for what would hang
# a connection that a client keeps when its loop ends is nobody's to close, and is collected before the test is over
pytestmark = [
    pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]


@pytest.fixture(autouse=True)
def collected():
    yield
    gc.collect()


@pytest.fixture
def scorer(model):
    return create_faithfulness_scorer(model, timeout=3)


def in_a_loop(work):
    """What `work` comes to in a loop of its own, as a user's asyncio.run."""
    return asyncio.run(asyncio.wait_for(work, LONGEST))


def ends(*results):
    return [r.error or r.score for r in results]


def test_run_twice_outside_a_loop(scorer):
    assert ends(scorer.run(**ROW), scorer.run(**ROW)) == [1.0, 1.0]


def test_run_inside_a_running_loop_twice(scorer):
    async def notebook():
        return scorer.run(**ROW), scorer.run(**ROW)

    assert ends(*in_a_loop(notebook())) == [1.0, 1.0]
    assert ends(*in_a_loop(notebook())) == [1.0, 1.0]


def test_run_and_arun_in_one_loop_on_one_model(scorer):
    async def mixed():
        return [await scorer.arun(**ROW), scorer.run(**ROW), await scorer.arun(**ROW), scorer.run(**ROW)]

    assert ends(*in_a_loop(mixed())) == [1.0] * 4


def test_run_before_and_after_arun_on_one_model(scorer):
    before = scorer.run(**ROW)
    between = in_a_loop(scorer.arun(**ROW))
    assert ends(before, between, scorer.run(**ROW)) == [1.0, 1.0, 1.0]


def test_arun_in_one_loop_after_another_on_one_model(scorer):
    assert ends(*[in_a_loop(scorer.arun(**ROW)) for _ in range(3)]) == [1.0, 1.0, 1.0]


def test_a_call_on_a_connection_of_another_loop_is_made_again_once_a_switch(scorer, backend):
    """The client keeps its connections over a change of loop; what is lost with one is asked again, not failed."""
    scored = [result for _ in range(2) for result in (scorer.run(**ROW), in_a_loop(scorer.arun(**ROW)))]
    assert ends(*scored) == [1.0] * 4
    assert 4 * 3 <= backend.requests <= 4 * 3 + 3


def test_run_evals_and_arun_evals_on_one_model(scorer):
    reports = [run_evals([ROW] * 3, scorer), in_a_loop(arun_evals([ROW] * 3, scorer)), run_evals([ROW] * 3, scorer)]
    assert [ends(*report.results) for report in reports] == [[1.0] * 3] * 3


def test_run_from_many_threads(scorer):
    scored = []
    threads = [threading.Thread(target=lambda: scored.append(scorer.run(**ROW))) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(LONGEST)
    assert ends(*scored) == [1.0] * 6


def exit_code_of_child(work):
    """What a forked child that does `work` exits with; it is ended when it hangs."""
    child = os.fork()
    if child == 0:
        try:
            os._exit(work())
        finally:
            os._exit(99)
    until = time.monotonic() + LONGEST
    while time.monotonic() < until:
        if (ended := os.waitpid(child, os.WNOHANG))[0]:
            return os.waitstatus_to_exitcode(ended[1])
        time.sleep(0.02)
    os.kill(child, 9)
    os.waitpid(child, 0)
    return "hung"


@forks
@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")  # forking with threads
def test_run_after_a_fork_with_a_model_of_the_child(scorer, chat):
    assert scorer.run(**ROW).status == "scored"

    def child():
        own = create_faithfulness_scorer(chat(http_socket_options=()), timeout=3, call_retries=0)
        return 0 if own.run(**ROW).status == own.run(**ROW).status == "scored" else 1

    assert exit_code_of_child(child) == 0


@forks
@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
def test_run_after_a_fork_with_the_model_of_the_parent(model):
    scorer = create_faithfulness_scorer(model, timeout=1, call_retries=1)
    assert scorer.run(**ROW).status == "scored"
    assert exit_code_of_child(lambda: 0 if scorer.run(**ROW).status == "scored" else 1) == 0
    assert scorer.run(**ROW).status == "scored"


@pytest.mark.parametrize("evaluate", [run_evals, lambda *a, **k: in_a_loop(arun_evals(*a, **k))], ids=["run", "arun"])
def test_no_more_calls_are_in_flight_than_allowed_whatever_the_rows_and_scorers(model, backend, evaluate):
    backend.delay = 0.01
    rows = [ROW | {"output": f"The bridge opened in {1900 + n}. It is {n} metres high."} for n in range(20)]
    scorers = [create_faithfulness_scorer(model), create_hallucination_scorer(model)]
    report = evaluate(rows, scorers, concurrency=3)
    assert [r.status for r in report.results] == ["scored"] * 40
    assert backend.peak == 3
    assert backend.requests == 20 * 5


def test_a_call_that_waits_for_its_next_attempt_holds_up_nobody(model, backend):
    backend.tell("preprocess", error(429, "Rate limit reached", retry_after="0.4"))
    before = time.perf_counter()
    report = run_evals([ROW] * 3, create_faithfulness_scorer(model), concurrency=1)
    assert ends(*report.results) == [1.0] * 3
    assert time.perf_counter() - before < 3


def test_cancelling_leaves_no_task_behind(model, backend, caplog):
    backend.always(slow(0.5, said("{}")))

    async def cancelled():
        work = asyncio.create_task(arun_evals([ROW] * 9, create_faithfulness_scorer(model), concurrency=3))
        await asyncio.sleep(0.15)
        work.cancel()
        with pytest.raises(asyncio.CancelledError):
            await work
        return asyncio.all_tasks() - {asyncio.current_task()}

    assert asyncio.run(cancelled()) == set()
    assert 0 < backend.requests <= 3
    gc.collect()
    assert [r.getMessage() for r in caplog.records if r.name == "asyncio"] == []


@pytest.mark.skipif(not hasattr(signal, "pthread_kill"), reason="this system can't signal a thread")
def test_an_interrupted_run_ends_at_once_and_leaves_the_model_usable(model, backend):
    backend.tell("preprocess", *[slow(0.6, said("{}"))] * 2)
    scorer = create_faithfulness_scorer(model)
    threading.Timer(0.1, signal.pthread_kill, (threading.main_thread().ident, signal.SIGINT)).start()
    before = time.perf_counter()
    with pytest.raises(KeyboardInterrupt):
        run_evals([ROW] * 9, scorer, concurrency=2)
    assert time.perf_counter() - before < 0.5
    assert scorer.run(**ROW).status == "scored"
    time.sleep(0.1)
    assert backend.requests == 2 + 3
