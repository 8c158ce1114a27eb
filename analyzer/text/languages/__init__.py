"""Language tables: everything the code knows about one language, as data in one TOML file each."""

from analyzer.text.languages._table import LanguageTable, language_table, languages

__all__ = ["LanguageTable", "language_table", "languages"]
