"""The page in a browser, where one is found: nothing wider than a telephone, no words of a plot over each other, none tiny."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from html import unescape
from pathlib import Path

import pytest

from evals.report.groups import grouped
from evals.report.page import page
from tests.evals.report.results import HOSTILE, chapter, run

BROWSER = shutil.which("chromium")
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--allow-file-access-from-files",
    "--window-size=1300,2000",
)
PROBE = """<!doctype html><meta charset="utf-8"><body><script>
const told = {};
function look(name, frame) {
  const page = frame.contentDocument;
  const boxes = [...page.querySelectorAll("svg")].map(svg => [...svg.querySelectorAll("text")].map(t => t.getBoundingClientRect()));
  let over = 0, cut = 0;
  for (const t of page.querySelectorAll("svg text")) {
    const [a, b] = [t.getBoundingClientRect(), t.ownerSVGElement.getBoundingClientRect()];
    if (a.left < b.left - 1 || a.right > b.right + 1 || a.bottom > b.bottom + 1 || a.top < b.top - 1) cut++;
  }
  for (const texts of boxes) for (let i = 0; i < texts.length; i++) for (let j = 0; j < i; j++) {
    const [a, b] = [texts[i], texts[j]];
    if (Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 4) over++;
  }
  const sizes = [...page.querySelectorAll("svg text")].map(t => {
    const svg = t.ownerSVGElement;
    return parseFloat(getComputedStyle(t).fontSize) * svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;
  });
  told[name] = {wide: page.documentElement.scrollWidth, over, cut, small: Math.min(...sizes), texts: sizes.length};
}
let left = 2;
for (const [name, width] of [["phone", 390], ["desk", 1280]]) {
  const frame = document.createElement("iframe");
  frame.style = `width:${width}px;height:900px;border:0`;
  frame.onload = () => { look(name, frame); if (!--left) document.body.dataset.told = JSON.stringify(told); };
  frame.src = "page.html";
  document.body.append(frame);
}
</script>
"""


@pytest.mark.skipif(BROWSER is None, reason="no chromium on this machine: how the page looks was not checked")
def test_the_page_fits_a_telephone_and_no_words_of_a_plot_lie_over_each_other(tmp_path: Path) -> None:
    cases = (*HOSTILE, "갈대 등불", "雁与纸")
    chapters = [chapter(n, case=case, missed=n % 3, wrong=1) for n, case in enumerate(cases, 1)]
    by_rules = [c.model_copy(update={"label": "rules"}) for c in chapters]
    groups = grouped([run(*chapters), run(*by_rules, name="second", label="rules")])
    (tmp_path / "page.html").write_text(page(groups), "utf-8")
    (tmp_path / "probe.html").write_text(PROBE, "utf-8")
    profile, probe = f"--user-data-dir={tmp_path / 'profile'}", (tmp_path / "probe.html").as_uri()
    command = [str(BROWSER), *FLAGS, profile, "--dump-dom", probe]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    found = re.search(r'data-told="([^"]*)"', done.stdout)
    assert found, done.stdout[-500:]
    told = json.loads(unescape(found.group(1)))
    assert told["phone"]["texts"] > 100
    assert told["phone"]["wide"] <= 390 and told["desk"]["wide"] <= 1280, told
    assert told["phone"]["over"] == told["desk"]["over"] == 0, told
    assert told["phone"]["cut"] == told["desk"]["cut"] == 0, told
    assert told["phone"]["small"] >= 9, told
