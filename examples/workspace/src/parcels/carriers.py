"""Which carrier a parcel belongs to."""

PREFIXES = {"AX": "axel", "BR": "bring", "NP": "northpost"}


def carrier_of(parcel_id):
    """The carrier's name, by the first two letters of the parcel's id."""
    return PREFIXES.get(parcel_id[:2], "unknown")
