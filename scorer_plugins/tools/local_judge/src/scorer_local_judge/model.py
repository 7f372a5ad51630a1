"""The judge as a LangChain chat model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.metadata import version
from typing import Any, NoReturn

from langchain_core.callbacks import AsyncCallbackManagerForLLMRun, CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage
from langchain_core.messages.ai import UsageMetadata
from langchain_core.outputs import ChatGeneration, ChatResult

from .tasks import answer


class LocalJudge(BaseChatModel):
    """Answers the prompts of the shipped scorers by counting words and numbers: the same answer every time.

    Which task a prompt is comes from the call's metadata (`template`); the texts come from the prompt's marks.
    It reads nothing else and raises `ValueError` on any other prompt.
    """

    @property
    def _llm_type(self) -> str:
        return "local"

    @property
    def _identifying_params(self) -> dict[str, Any]:
        return {"model_name": "local", "fidelity": "low", "version": version("scorer-local-judge")}

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        return _reply(messages, run_manager.metadata if run_manager else {})

    async def _agenerate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        return _reply(messages, run_manager.metadata if run_manager else {})

    def with_structured_output(self, *args: Any, **kwargs: Any) -> NoReturn:
        """Not offered: the judge is asked in text and answers in text."""
        raise NotImplementedError("the local judge is asked in text; leave structured output off")


def local_judge(spec: str = "") -> LocalJudge:
    """The local judge, as `local` in a model option.

    Raises:
        ValueError: `spec`, the text after `local:`, is not empty.
    """
    if spec:
        raise ValueError(f"the local judge takes no argument, got {spec!r}; write 'local'")
    return LocalJudge()


def _reply(messages: Sequence[BaseMessage], metadata: Mapping[str, Any] | None) -> ChatResult:
    """The answer to the first human message; later ones only ask again."""
    asked = next((m for m in messages if isinstance(m, HumanMessage)), None)
    text = answer(str((metadata or {}).get("template") or ""), str(asked.text) if asked else "")
    message = AIMessage(
        content=text,
        usage_metadata=UsageMetadata(input_tokens=0, output_tokens=0, total_tokens=0),
        response_metadata={"model_name": "local (fidelity: low)", "fidelity": "low"},
    )
    return ChatResult(generations=[ChatGeneration(message=message)])
