"""`python -m evals.bench.peers._child NAME TEXT URL MODEL FOLDER`: one contestant in a process of its own, told as one line of JSON."""

from __future__ import annotations

import json
import os
import resource
import sys
import time
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from evals.bench._measured import peak_mb
from evals.command import command


@command
def main(arguments: list[str]) -> int:
    """Run it; the last line of standard output says what it found and used. What it prints itself goes to standard error."""
    name, text, url, model, folder = arguments
    spec = find_spec("litellm")
    if spec is not None and spec.origin is not None:  # the tokenizer's table is there, so that nothing is fetched
        os.environ["TIKTOKEN_CACHE_DIR"] = str(Path(spec.origin).parent / "litellm_core_utils" / "tokenizers")
    os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = (
        "True"  # it looks for a newer list of prices on the network where it is not told
    )
    out, sys.stdout = sys.stdout, sys.stderr
    started = time.perf_counter()
    found = import_module(f"evals.bench.peers.{name}").run(Path(text).read_text("utf-8"), url, model, Path(folder))
    wall_s, used = time.perf_counter() - started, resource.getrusage(resource.RUSAGE_SELF)
    told = [list(found), wall_s, used.ru_utime + used.ru_stime, peak_mb()]
    out.write(json.dumps(told, ensure_ascii=False) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
