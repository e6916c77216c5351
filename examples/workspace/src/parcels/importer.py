"""Reads a manifest batch by batch."""
import csv

from parcels.batches import BatchStore, Row
from parcels.carriers import carrier_of

BATCH_ROWS = 500


def parse_row(fields):
    """One line of a manifest; a carrier's mistake is a value, not an exception."""
    if len(fields) != 2 or not fields[1].isdigit():
        return None
    return Row(fields[0], carrier_of(fields[0]), int(fields[1]))


def import_manifest(store: BatchStore, file):
    """Imports what is not stored yet and returns the rows that were rejected."""
    # TODO: skip to the offset without parsing what lies before it, see #31
    done = store.committed_offset(file)
    batch, rejected = [], []
    with open(file, newline="") as lines:
        for number, fields in enumerate(csv.reader(lines)):
            if number < done:
                continue
            row = parse_row(fields)
            if row is None:
                rejected.append(number)
            else:
                batch.append(row)
            if len(batch) == BATCH_ROWS:
                store.commit(file, batch, number + 1)
                batch = []
    if batch:
        store.commit(file, batch, number + 1)
    return rejected
