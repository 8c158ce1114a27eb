"""Four short chapters of our own, each with a draft: English, Korean, Chinese, Japanese."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple


class Tale(NamedTuple):
    """A serial's text and the draft of its first chapter."""

    language: str
    text: str
    draft: dict[str, Any]


def person(id: str, *names: str, descriptors: tuple[str, ...] = (), **more: Any) -> dict[str, Any]:
    return {"id": id, "kind": "character", "names": list(names), "descriptors": list(descriptors), **more}


def relation(triple: str, *quotes: Any, **more: Any) -> dict[str, Any]:
    subject, kind, target = triple.split()
    return {"subject": subject, "kind": kind, "object": target, "quotes": list(quotes), **more}


def draft(
    language: str, entities: list[dict[str, Any]], relations: list[dict[str, Any]], **more: Any
) -> dict[str, Any]:
    return {
        "book": "tale",
        "chapter": 1,
        "language": language,
        "entities": entities,
        "relations": relations,
        **more,
    }


ENGLISH = Tale(
    "en",
    "The Weir\n\n\nChapter 1: Low Water\n\n\nRose Pell sold a rose to Will at the weir.\n\n"
    "“Will you come?” said Rose. Rosewater stood in the jar.\n\nRose’s father, old Pell, was not told.\n\n\n"
    "Chapter 2: High Water\n\n\nWill was married to Rose Pell now.\n",
    draft(
        "en",
        [
            person("rose", "Rose Pell", "Rose"),
            person("will", "Will", blocks_not=[2]),
            person("rose_father", "old Pell", descriptors=("Rose’s father",)),
        ],
        [relation("rose_father parent_of rose", "Rose’s father, old Pell")],
        secrets=[
            {
                "proposition": "Rose asked Will",
                "holders": ["rose"],
                "hidden_from": ["rose_father"],
                "quotes": ["was not told"],
            }
        ],
    ),
)
KOREAN = Tale(
    "ko",
    "물레방아\n\n제1장 가을 물\n\n김민서는 방앗간에서 오빠 준호를 기다렸다.\n\n“민서야, 가자.” 준호가 말했다."
    " 민서네 집에는 아무도 없었다.\n\n"
    "민서라는 이름을 노파만 알았다. 김민서연구회는 다른 곳이다.\n\n제2장 겨울\n\n눈이 왔다.\n",
    draft(
        "ko",
        [
            person("minseo", "김민서", "민서"),
            person("junho", "준호"),
            person("old_woman", descriptors=("노파",)),
        ],
        [relation("junho sibling_of minseo", "오빠 준호")],
        knowledge=[
            {
                "knower": "old_woman",
                "proposition": "Minseo's name",
                "stance": "knows",
                "via": "told",
                "quotes": ["민서라는 이름을 노파만 알았"],
            }
        ],
    ),
)
CHINESE = Tale(
    "zh",
    "河上\n\n第一章 渡口\n\n林小雨在渡口等她的哥哥林大海。\n\n"
    "小雨說：「大海，你欠我一條船。」外頭下著小雨。\n\n"
    "「船給你。」大海把木牌交給了她。\n\n第二章 夜\n\n夜深了。\n",
    draft(
        "zh",
        [
            person("xiaoyu", "林小雨", "小雨"),
            person("dahai", "林大海", "大海"),
            person("boat", "船") | {"kind": "object"},
        ],
        [
            relation("dahai sibling_of xiaoyu", "她的哥哥林大海"),
            relation("dahai owes xiaoyu", "你欠我一條船", source="speech"),
        ],
        changes=[
            {
                "entity": "xiaoyu",
                "attribute": "possession",
                "op": "add",
                "to": "a wooden tag",
                "quotes": ["大海把木牌交給了她"],
            }
        ],
    ),
)
JAPANESE = Tale(
    "ja",
    "水車\n\n第一章 秋の水\n\n佐藤葵は水車小屋で兄の健太を待っていた。\n\n"
    "「葵、行こう」と健太さんが言った。向日葵が咲いていた。\n\n"
    "タケルくんは葵ちゃんを見た。タケルノミコトの像が立っている。\n\n第二章 冬\n\n雪が降った。\n",
    draft(
        "ja",
        [person("aoi", "佐藤葵", "葵"), person("kenta", "健太"), person("takeru", "タケル")],
        [relation("kenta sibling_of aoi", "兄の健太")],
        appearance=[
            {"entity": "aoi", "feature": "other", "value": "watched", "level": "optional", "quotes": ["葵ちゃんを見た"]}
        ],
    ),
)
TALES = (ENGLISH, KOREAN, CHINESE, JAPANESE)


def write(folder: Path, tale: Tale, *drafts: dict[str, Any]) -> tuple[Path, Path]:
    """Write a tale's text and drafts (its own without any given); return the folder of drafts and the serial."""
    serial, home = folder / "serial.txt", folder / "drafts"
    serial.write_text(tale.text, "utf-8")
    home.mkdir()
    for number, one in enumerate(drafts or (tale.draft,), 1):
        (home / f"draft-{number}.json").write_text(json.dumps(one, ensure_ascii=False), "utf-8")
    return home, serial
