"""A backend on loopback for each test, models that ask it, and short waits."""

from contextlib import suppress

import pytest
from langchain_openai import ChatOpenAI

import scorer_core.judging.calling
from scorer_core.support.background import run_here

from .openai_server import Backend, serve

KEY = "sk-test-0123456789abcdef"


@pytest.fixture(autouse=True)
def short_waits(monkeypatch):
    monkeypatch.setattr(scorer_core.judging.calling, "FIRST_WAIT", 0.01)


@pytest.fixture(autouse=True)
def no_settings_of_the_machine(monkeypatch):
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "OPENAI_API_BASE", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)


@pytest.fixture(autouse=True)
def no_certificates(monkeypatch):
    """Loopback needs none, and loading them takes most of the time of making a model."""
    monkeypatch.setattr("ssl.SSLContext.load_verify_locations", lambda *_, **__: None)


@pytest.fixture
def backend():
    backend = Backend()
    server = serve(backend)
    yield backend
    server.shutdown()
    server.server_close()


@pytest.fixture
def chat(backend):
    """Makes models that ask the backend, and closes their connections."""
    made = []

    def make(kind=ChatOpenAI, **how):
        made.append(kind(**{"model": "judge-1", "base_url": backend.url, "api_key": KEY, "max_retries": 0, **how}))
        return made[-1]

    yield make
    for model in made:
        with suppress(RuntimeError):  # of connections whose loop is gone
            run_here(model.root_async_client.close(), "")


@pytest.fixture
def model(chat):
    return chat()
