"""Batches of manifest rows in SQLite."""
import sqlite3
from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    parcel_id: str
    carrier: str
    weight_grams: int


class BatchStore:
    """Keeps rows and, in the same transaction, how far into its file an import has come."""

    def __init__(self, path):
        self.connection = sqlite3.connect(path)
        self.connection.execute("CREATE TABLE IF NOT EXISTS rows (parcel_id TEXT PRIMARY KEY, carrier TEXT, weight INTEGER)")
        self.connection.execute("CREATE TABLE IF NOT EXISTS offsets (file TEXT PRIMARY KEY, committed INTEGER)")

    def commit(self, file, rows, offset):
        # One transaction a batch, because a row without its offset would be imported twice.
        with self.connection:
            self.connection.executemany("INSERT OR IGNORE INTO rows VALUES (?, ?, ?)",
                                        [(row.parcel_id, row.carrier, row.weight_grams) for row in rows])
            self.connection.execute("INSERT OR REPLACE INTO offsets VALUES (?, ?)", (file, offset))

    def committed_offset(self, file):
        """How many rows of this file are safely stored."""
        found = self.connection.execute("SELECT committed FROM offsets WHERE file = ?", (file,)).fetchone()
        return found[0] if found else 0
