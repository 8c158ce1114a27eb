"""google/langextract as its README uses it: a description, one example, chunks of 1,000 characters, its OpenAI provider."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

from evals.bench.peers._found import Found

PACKAGE = "langextract"


def run(text: str, url: str, model: str, folder: Path) -> Found:
    """Extract entities and relations with its defaults; no reasoning is asked of the model, as with the others."""
    lx: Any = import_module("langextract")
    factory: Any = import_module("langextract.factory")
    example = lx.data.ExampleData(
        text="Anna Reed gave her brother Tom the key of the Old Mill.",
        extractions=[
            lx.data.Extraction("entity", "Anna Reed", attributes={"kind": "character"}),
            lx.data.Extraction("entity", "Old Mill", attributes={"kind": "place"}),
            lx.data.Extraction(
                "relation",
                "her brother Tom",
                attributes={"subject": "Anna Reed", "kind": "sibling_of", "object": "Tom", "status": "current"},
            ),
        ],
    )
    config = factory.ModelConfig(
        model_id=model,
        provider="OpenAILanguageModel",
        provider_kwargs={"api_key": "unused", "base_url": url, "reasoning_effort": "none"},
    )
    document = lx.extract(
        text_or_documents=text,
        prompt_description="Extract every person, group, place and thing of the story, and every relation between two of them, "
        "using the exact words of the text.",
        examples=[example],
        config=config,
        show_progress=False,
    )
    found = list(document.extractions or [])
    attributes = [one.attributes or {} for one in found if one.extraction_class == "relation"]
    return Found(
        names=tuple(one.extraction_text for one in found if one.extraction_class == "entity"),
        pairs=tuple((str(one.get("subject")), str(one.get("object"))) for one in attributes),
    )
