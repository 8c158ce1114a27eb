"""Small texts of our own whose names have parts, short forms, titles and particles, with the names as gold would list them."""

from __future__ import annotations

from typing import NamedTuple

from analyzer.text.languages import language_table
from evals.rename._edits import Moved
from evals.rename._forms import Bearer, Form
from evals.rename._renaming import Renaming, begins_sentence, renaming


class Told(NamedTuple):
    """A language, a text, and its bearers of names."""

    language: str
    text: str
    bearers: tuple[Bearer, ...]


def person(id: str, *names: str) -> Bearer:
    return Bearer(id, "character", names)


def place(id: str, *names: str) -> Bearer:
    return Bearer(id, "place", names)


ENGLISH = Told(
    "en",
    "CHAPTER 1: ODELL GOES HOME\n\nMrs. Maren Odell met Eustace Wick and his wick. “Will you stay, Will?” she asked. James’ hat"
    " lay in Tarrow Street.\n\nMaren, whom all but Mr. Odell called Mary-Maren, saw the Odells; Odellian airs were not heard."
    " An Ulverham man and M. Wick left. The Ferryman knew it; the Ferryman always knew, the Ferryman and the Ferryman’s dog.\n",
    (
        person("maren", "Mrs. Maren Odell", "Maren", "Mary-Maren"),
        person("odell", "Mr. Odell"),
        person("wick", "Eustace Wick", "M. Wick"),
        person("will", "Will"),
        person("james", "James"),
        person("ferryman", "Ferryman"),
        place("tarrow", "Tarrow Street"),
        place("ulverham", "Ulverham"),
        Bearer("odells", "group", ("Odells",)),
    ),
)
FRENCH = Told(
    "fr",
    "Chapitre 1 : ÉLOI PART\n\nMme d’Hautcourt attendait Éloi Vasseur à l’Estrange. Le comte d’Hautcourt, lui, restait à Brézan ;"
    " qu’Éloi revînt de Brézan, Vasseur n’y croyait plus. Le vasseurisme ? Un mot de Mme d’Hautcourt.\n",
    (
        person("mme", "Mme d’Hautcourt"),
        person("comte", "comte d’Hautcourt"),
        person("eloi", "Éloi Vasseur", "Éloi", "Vasseur"),
        place("estrange", "l’Estrange"),
        place("brezan", "Brézan"),
    ),
)
KOREAN = Told(
    "ko",
    "제1장 서하나루\n\n김도윤은 누이 김서하와 함께 무령산으로 갔다. “도윤아, 서하야!” 김 씨가 불렀다.\n\n도윤이라고 했다."
    " 서하라고도 했다. 아우 박한별은 한별이를 부르는 소리에 돌아섰다. 박별로 적힌 글은 없었다. 도윤으로는 모자라고 한별로는 넘친다."
    " 무령산상회와 무령산을 두고 가을이는 웃었다. 가을이 왔다.\n",
    (
        person("doyun", "김도윤", "도윤", "김 씨"),
        person("seoha", "김서하", "서하"),
        person("hanbyeol", "박한별", "한별"),
        person("gaeul", "가을"),
        place("muryeong", "무령산"),
        Bearer("store", "group", ("무령산상회",)),
    ),
)
CHINESE = Told(
    "zh",
    "第一章 青葭渡\n\n沈知白与欧阳琢同到青葭渡。“阿琢，”知白道，“老沈的船呢？”欧阳先生不答。\n\n沈掌柜说，小琢是欧阳琢的小名，字怀玉。"
    "怀玉在青葭渡有家，沈家也在青葭渡。\n",
    (
        person("zhibai", "沈知白", "知白", "老沈"),
        person("zhuo", "欧阳琢", "阿琢", "小琢", "欧阳先生", "怀玉"),
        person("keeper", "沈掌柜"),
        place("ferry", "青葭渡"),
        Bearer("house", "group", ("沈家",)),
    ),
)
JAPANESE = Told(
    "ja",
    "第一話 汐見坂\n\n真壁葵は兄の真壁周平と汐見坂をのぼった。「葵さん、周平くん」とヤン・ドラーグが呼んだ。\n\n向日葵が咲き、真壁家の窓に"
    "ドラーグさんの影がさす。ドラーグノフという銃ではない。お静は汐見坂の上にいた。\n",
    (
        person("aoi", "真壁葵", "葵"),
        person("shuhei", "真壁周平", "周平"),
        person("jan", "ヤン・ドラーグ", "ドラーグ"),
        person("shizu", "お静"),
        place("saka", "汐見坂"),
        Bearer("house", "group", ("真壁家",)),
    ),
)
RUSSIAN = Told(
    "ru",
    "Глава 1\n\nАнна Ведерина шла к Ведерину. Анну ждали в Тарске; о Ведерине в Тарске не знали. Ведериных там не было.\n",
    (person("anna", "Анна Ведерина", "Анна"), person("vederin", "Ведерин"), place("tarsk", "Тарск")),
)
TOLD = (ENGLISH, FRENCH, KOREAN, CHINESE, JAPANESE, RUSSIAN)


class Made(NamedTuple):
    """A text renamed: its names, and where everything went."""

    names: Renaming
    moved: Moved

    def image(self, surface: str) -> str:
        return self.names.name(surface)


def make(told: Told, seed: int = 1) -> Made:
    names = renaming(told.bearers, told.text, language_table(told.language), seed=seed)

    def allowed(at: int, _form: Form) -> bool:
        return names.lexicon.cased and not begins_sentence(told.text, at)

    return Made(names, Moved(told.text, names.edits(told.text, allowed)))
