"""Files of word processors, built by code: the least a DOCX or ODT needs, with what a test puts in."""

from __future__ import annotations

import io
import zipfile

W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
STRICT = "http://purl.oclc.org/ooxml/wordprocessingml/main"
_NAMES = (
    'xmlns:w="{w}" xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" '
    'xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office" '
    'xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape" '
    'xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" '
    'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'
)
_RELATION = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"
_RELATIONS = '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">{}</Relationships>'
_CORE = (
    '<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" '
    'xmlns:dc="http://purl.org/dc/elements/1.1/">{}</cp:coreProperties>'
)


def zipped(parts: dict[str, str | bytes]) -> bytes:
    """Return a deflated ZIP archive of these parts."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(zipfile.ZipInfo(name, (2026, 1, 1, 0, 0, 0)), content, zipfile.ZIP_DEFLATED)
    return out.getvalue()


def p(words: str = "", *, style: str = "", properties: str = "", run: str = "") -> str:
    """Return a paragraph of one run; `properties` and `run` are XML of its properties."""
    named = f'<w:pStyle w:val="{style}"/>' if style else ""
    return f"<w:p><w:pPr>{named}{properties}</w:pPr>{r(words, run) if words else ''}</w:p>"


def r(words: str, properties: str = "") -> str:
    """Return a run."""
    return f'<w:r><w:rPr>{properties}</w:rPr><w:t xml:space="preserve">{words}</w:t></w:r>'


def style(identifier: str, name: str, inner: str = "", *, based_on: str = "", kind: str = "paragraph") -> str:
    """Return a style."""
    base = f'<w:basedOn w:val="{based_on}"/>' if based_on else ""
    return f'<w:style w:type="{kind}" w:styleId="{identifier}"><w:name w:val="{name}"/>{base}{inner}</w:style>'


def docx(
    body: str,
    *,
    styles: str = "",
    parts: dict[str, str] | None = None,
    core: str = "",
    space: str = W,
    main: str = "word/document.xml",
) -> bytes:
    """Return a DOCX file; `parts` maps kinds of part ("footnotes", "header", …) to what stands in their root."""
    names = _NAMES.format(w=space)
    folder, _, base = main.rpartition("/")
    inner = {"styles": styles, **(parts or {})}
    roots = {"header": "hdr", "footer": "ftr"}
    files: dict[str, str | bytes] = {
        "_rels/.rels": _RELATIONS.format(
            f'<Relationship Id="a" Type="{_RELATION}officeDocument" Target="{main}"/>'
            '<Relationship Id="b" Type="http://schemas.openxmlformats.org/package/2006/relationships/metadata/'
            'core-properties" Target="docProps/core.xml"/>'
        ),
        main: f"<w:document {names}><w:body>{body}</w:body></w:document>",
        f"{folder}/_rels/{base}.rels": _RELATIONS.format(
            "".join(f'<Relationship Id="{k}" Type="{_RELATION}{k}" Target="{k}1.xml"/>' for k in inner)
        ),
        "docProps/core.xml": _CORE.format(core),
    }
    for kind, content in inner.items():
        root = roots.get(kind, kind)
        files[f"{folder}/{kind}1.xml"] = f"<w:{root} {names}>{content}</w:{root}>"
    return zipped(files)


_ODF = "urn:oasis:names:tc:opendocument:xmlns:"
_ODF_NAMES = (
    " ".join(
        f'xmlns:{name}="{_ODF}{name}:1.0"' for name in ("office", "text", "style", "table", "meta", "draw", "manifest")
    )
    + f' xmlns:fo="{_ODF}xsl-fo-compatible:1.0" xmlns:svg="{_ODF}svg-compatible:1.0"'
    + ' xmlns:dc="http://purl.org/dc/elements/1.1/"'
)


def odt(
    body: str, *, automatic: str = "", styles: str = "", master: str = "", meta: str = "", manifest: str = ""
) -> bytes:
    """Return an ODT file; `automatic` and `styles` are styles, `master` holds headers and footers."""
    return zipped(
        {
            "mimetype": "application/vnd.oasis.opendocument.text",
            "META-INF/manifest.xml": f"<manifest:manifest {_ODF_NAMES}>{manifest}</manifest:manifest>",
            "content.xml": f"<office:document-content {_ODF_NAMES}><office:automatic-styles>{automatic}"
            f"</office:automatic-styles><office:body><office:text>{body}</office:text></office:body>"
            "</office:document-content>",
            "styles.xml": f"<office:document-styles {_ODF_NAMES}><office:styles>{styles}</office:styles>"
            f"<office:master-styles>{master}</office:master-styles></office:document-styles>",
            "meta.xml": f"<office:document-meta {_ODF_NAMES}><office:meta>{meta}</office:meta></office:document-meta>",
        }
    )


def flat_odt(body: str) -> bytes:
    """Return the same in one XML file."""
    inner = f"<office:body><office:text>{body}</office:text></office:body>"
    return f'<?xml version="1.0"?><office:document {_ODF_NAMES}>{inner}</office:document>'.encode()


def rtf(body: str, *, head: str = "") -> bytes:
    """Return an RTF file of Windows-1252 with two fonts; letters beyond ASCII are written as UTF-16 units."""
    fonts = r"{\fonttbl{\f0\fnil\fcharset0 Serif;}{\f1\fnil\fcharset2 Wingdings;}}"
    return ascii_rtf(rf"{{\rtf1\ansi\ansicpg1252\deff0{fonts}{head}{body}}}")


def ascii_rtf(words: str) -> bytes:
    """Return words with letters beyond ASCII as UTF-16 units of RTF."""
    units = []
    for ch in words:
        if ch.isascii():
            units.append(ch)
            continue
        raw = ch.encode("utf-16-le")
        for i in range(0, len(raw), 2):
            unit = int.from_bytes(raw[i : i + 2], "little", signed=True)
            units.append(rf"\u{unit}?")
    return "".join(units).encode("ascii")
