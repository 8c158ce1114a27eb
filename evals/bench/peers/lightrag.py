"""HKUDS/LightRAG as its README uses it: insert the chapter with its own OpenAI functions, then read its graph."""

from __future__ import annotations

import asyncio
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

from evals.bench.peers._found import Found

PACKAGE = "lightrag-hku"
DIMENSIONS = 1536
"""Of text-embedding-3-small, whose shape the simulator's vectors have."""


def run(text: str, url: str, model: str, folder: Path) -> Found:
    """Insert the chapter with its defaults."""
    return asyncio.run(_insert(text, url, model, folder))


async def _insert(text: str, url: str, model: str, folder: Path) -> Found:
    rag_module: Any = import_module("lightrag")
    openai: Any = import_module("lightrag.llm.openai")
    utils: Any = import_module("lightrag.utils")
    shared: Any = import_module("lightrag.kg.shared_storage")

    async def complete(
        prompt: str, system_prompt: str | None = None, history_messages: Any = None, **given: Any
    ) -> Any:
        return await openai.openai_complete_if_cache(
            model,
            prompt,
            system_prompt=system_prompt,
            history_messages=history_messages or [],
            base_url=url,
            api_key="unused",
            reasoning_effort="none",
            **given,
        )

    embed = partial(openai.openai_embed.func, model="text-embedding-3-small", base_url=url, api_key="unused")
    rag = rag_module.LightRAG(
        working_dir=str(folder),
        llm_model_func=complete,
        llm_model_name=model,
        embedding_func=utils.EmbeddingFunc(embedding_dim=DIMENSIONS, max_token_size=8192, func=embed),
    )
    await rag.initialize_storages()
    await shared.initialize_pipeline_status()
    await rag.ainsert(text)
    graph = rag.chunk_entity_relation_graph
    nodes, edges = await graph.get_all_nodes(), await graph.get_all_edges()
    await rag.finalize_storages()
    return Found(
        names=tuple(str(node["id"]) for node in nodes),
        pairs=tuple((str(edge["source"]), str(edge["target"])) for edge in edges),
    )
