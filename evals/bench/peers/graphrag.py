"""microsoft/graphrag as its documentation uses it: the standard index of one document with its defaults, then its tables."""

from __future__ import annotations

import asyncio
from importlib import import_module
from pathlib import Path
from typing import Any

from evals.bench.peers._found import Found

PACKAGE = "graphrag"
KINDS = ["character", "group", "place", "object", "event", "text"]
"""Its own four kinds of entities suit news; a novel's are given to it, as its documentation says to."""


def run(text: str, url: str, model: str, folder: Path) -> Found:
    """Build the index."""
    api: Any = import_module("graphrag.api")
    config_module: Any = import_module("graphrag.config.models.graph_rag_config")
    pandas: Any = import_module("pandas")
    asked = {"model_provider": "openai", "api_base": url, "api_key": "unused"}
    config = config_module.GraphRagConfig(
        completion_models={
            "default_completion_model": {**asked, "model": model, "call_args": {"reasoning_effort": "none"}},
        },
        embedding_models={"default_embedding_model": {**asked, "model": "text-embedding-3-small"}},
        input_storage={"base_dir": str(folder / "input")},
        output_storage={"base_dir": str(folder / "output")},
        reporting={"base_dir": str(folder / "logs")},
        cache={"type": "json", "storage": {"base_dir": str(folder / "cache")}},
        vector_store={"type": "lancedb", "db_uri": str(folder / "lancedb"), "vector_size": 1536},
        extract_graph={"entity_types": KINDS},
    )
    document = {"id": ["1"], "title": ["chapter"], "text": [text], "creation_date": ["2026-01-01"], "raw_data": [None]}
    results = asyncio.run(api.build_index(config, input_documents=pandas.DataFrame(document)))
    failed = [result.error for result in results if getattr(result, "error", None)]
    if failed:
        raise failed[0]
    entities = pandas.read_parquet(folder / "output" / "entities.parquet")
    relations = pandas.read_parquet(folder / "output" / "relationships.parquet")
    reports = pandas.read_parquet(folder / "output" / "community_reports.parquet")
    return Found(
        names=tuple(map(str, entities["title"])),
        pairs=tuple(zip(map(str, relations["source"]), map(str, relations["target"]), strict=True)),
        n_others=len(reports),
    )
