"""A paragraph of our own in many languages, with what their scripts have beyond ASCII."""

PROSE = {
    "en": (
        "The ferrywoman counted the coins twice. “It isn’t enough,” she said — and the naïve young man from the café "
        "blushed. ‘I’ll pay tomorrow,’ he promised; the river, grey as slate, didn’t care.\n"
        "Behind them the bell of Saint-René rang for the third time that evening. Nobody came.\n"
    ),
    "fr": (
        "La passeuse compta les pièces deux fois. « Ce n'est pas assez », dit-elle, et le jeune homme rougit jusqu'aux "
        "oreilles. Où était-il donc passé, ce garçon qui l'avait traversée l'été dernier ? Le fleuve était gris, très "
        "large, et personne ne répondait. À la nuit tombée, elle rangea sa barque près de la forêt.\n"
    ),
    "de": (
        "Die Fährfrau zählte die Münzen zweimal. Es genügt nicht, sagte sie, und der junge Mann errötete. Über den Fluß "
        "zog der Nebel, und die Glocke läutete zum dritten Mal. Niemand hörte zu; die Straße lag leer und naß.\n"
    ),
    "es": (
        "La barquera contó las monedas dos veces. ¿No le basta?, preguntó el joven, y ella negó con la cabeza. El río "
        "bajaba gris y nadie más quería cruzar aquella mañana. También el niño, con su pañuelo rojo, se había dormido.\n"
    ),
    "pl": (
        "Przewoźniczka policzyła monety dwa razy. To za mało, powiedziała, a chłopak zaczerwienił się i spuścił głowę. "
        "Rzeka była szara jak łupek, dzwon bił już trzeci raz, lecz nikt więcej nie przyszedł na brzeg.\n"
    ),
    "cs": (
        "Převoznice přepočítala mince dvakrát. To nestačí, řekla, a mladík zrudl až po uši. Řeka byla šedá jako břidlice "
        "a zvon už zvonil potřetí, ale nikdo další na břeh nepřišel.\n"
    ),
    "tr": (
        "Kayıkçı kadın paraları iki kez saydı. Bu yetmez, dedi; genç adamın yüzü kızardı. Irmak kurşun gibi griydi, çan "
        "üçüncü kez çaldı ama kıyıya başka kimse gelmedi. Şimdi ne yapacağız, diye düşündü.\n"
    ),
    "ru": (
        "Перевозчица дважды пересчитала монеты. Этого мало, сказала она, и молодой человек покраснел до ушей. Река была "
        "серая, колокол ударил в третий раз, но больше никто не пришёл на берег.\n"
    ),
    "uk": (
        "Перевізниця двічі перелічила монети. Цього замало, сказала вона, і юнак почервонів до вух. Річка була сіра, "
        "дзвін ударив утретє, але більше ніхто не прийшов на берег. Її човен гойдався біля ґанку.\n"
    ),
    "el": (
        "Η περαματάρισσα μέτρησε δύο φορές τα νομίσματα. Δεν φτάνουν, είπε, και ο νέος κοκκίνισε. Το ποτάμι ήταν γκρίζο, "
        "η καμπάνα χτύπησε για τρίτη φορά, αλλά κανείς άλλος δεν ήρθε στην όχθη.\n"
    ),
    "ko": (
        "뱃사공은 동전을 두 번 세었다. “이걸로는 모자라요.” 그녀가 말하자 젊은이의 얼굴이 붉어졌다.\n"
        "강물은 잿빛이었고, 종은 벌써 세 번째로 울렸다. 그러나 아무도 나루터에 오지 않았다.\n"
    ),
    "zh-Hans": (
        "摆渡的女人把铜钱数了两遍。“这不够，”她说。年轻人的脸一下子红了。\n"
        "河水灰蒙蒙的，钟已经敲了第三下，可是再也没有人到岸边来。她把船系在柳树下面，慢慢走回家去。\n"
    ),
    "zh-Hant": (
        "擺渡的女人把銅錢數了兩遍。「這不夠，」她說。年輕人的臉一下子紅了。\n"
        "河水灰濛濛的，鐘已經敲了第三下，可是再也沒有人到岸邊來。她把船繫在柳樹下面，慢慢走回家去。\n"
    ),
    "ja": (
        "渡し守の女は銭を二度数えた。「これでは足りません」と彼女は言い、若者は顔を赤くした。\n"
        "川は灰色で、鐘はもう三度目を打ったが、岸にはもう誰も来なかった。女は舟を柳につないで、ゆっくり家へ帰った。\n"
    ),
}

ENCODED = [
    ("en", "cp1252"), ("en", "mac_roman"), ("fr", "cp1252"), ("fr", "latin-1"), ("fr", "mac_roman"), ("fr", "cp850"),
    ("de", "cp1252"), ("de", "latin-1"), ("de", "mac_roman"), ("de", "cp437"), ("es", "cp1252"), ("es", "mac_roman"),
    ("pl", "cp1250"), ("pl", "iso8859-2"), ("cs", "cp1250"), ("cs", "iso8859-2"), ("cs", "mac_latin2"), ("tr", "cp1254"),
    ("ru", "cp1251"), ("ru", "koi8-r"), ("ru", "iso8859-5"), ("ru", "mac_cyrillic"), ("ru", "cp866"), ("uk", "cp1251"),
    ("uk", "koi8-u"), ("el", "cp1253"), ("el", "iso8859-7"), ("ko", "cp949"), ("zh-Hans", "gb18030"), ("zh-Hans", "gbk"),
    ("zh-Hant", "cp950"), ("zh-Hant", "gb18030"), ("zh-Hant", "big5hkscs"), ("ja", "cp932"), ("ja", "euc_jp"),
    ("ja", "iso2022_jp"),
]  # fmt: skip
"""Languages with the encodings their manuscripts are met in."""
