from parcels.batches import BatchStore
from parcels.importer import import_manifest, parse_row


def test_a_row_without_weight_is_rejected():
    assert parse_row(["AX1", "heavy"]) is None


def test_an_import_goes_on_where_it_stopped(tmp_path):
    store = BatchStore(":memory:")
    manifest = tmp_path / "today.csv"
    manifest.write_text("AX1,100\nBR2,200\n")
    assert import_manifest(store, str(manifest)) == []
    assert store.committed_offset(str(manifest)) == 2
