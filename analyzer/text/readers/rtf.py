from pathlib import Path
from analyzer.text.readers._reader import SourceText
SUFFIXES=(".rtf",)
def read(data: bytes, path: Path) -> SourceText: raise ValueError(data, path)
