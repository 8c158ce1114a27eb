"""One small scene in five languages, told for these tests."""

from __future__ import annotations

from analyzer.models.facts import Fact
from tests.harness import person

EN = (
    'Mara Vell kept the mill at Corvin. Her brother Tomas Vell hated the water. "Come in, Tomas," said Mara.\n'
    "The miller laughed. His daughter came in, and Doctor Brandt with her. Mara loved the doctor. Tomas Vell did not."
)
KO = (
    '마라는 코르빈의 물레방아를 지켰다. 마라의 동생 토마스는 물을 싫어했다. "들어와, 토마스." 마라가 말했다.\n'
    "토마스는 아버지를 불렀다. 의사가 왔다. 마라는 의사를 사랑했다."
)
ZH = (
    "林黛住在柳村。王武是林黛的哥哥。林黛道：「王武，你來！」王武笑道：「我來了。」\n"
    "王武的父親走進來。林黛看見了大夫。林黛道：「大夫！」"
)
JA = (
    "田中は橋のそばに住んでいた。田中の妹の花子は川を嫌った。「花子、来い」と田中は言った。\n"
    "花子は父を呼んだ。医者が来た。花子さんは医者を愛した。"
)
FR = (
    "Marthe Vaux gardait le moulin de Corvin. Son frère Thomas Vaux haïssait l’eau. « Entre, Thomas », dit Marthe.\n"
    "Le meunier riait. Sa fille entra avec le docteur Brandt. Marthe aimait le docteur. Thomas Vaux non."
)


def cast() -> list[Fact]:
    """The named cast of the English scene."""
    return [
        *person("@1", "Mara Vell", "Mara"),
        *person("@2", "Tomas Vell", "Tomas"),
        *person("@3", "Corvin", kind="place"),
        *person("@4", "Doctor Brandt"),
    ]
