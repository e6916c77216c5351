"""What the tests of published schemas share: documents that were printed must fit, broken ones must be refused."""
import copy
import json
import pathlib
import subprocess


def failures(root: pathlib.Path, modules: pathlib.Path, schema: str, printed: dict, broken: dict) -> list[str]:
    verdicts = json.loads(subprocess.run(
        ["node", root / "tests/validate_json.cjs", (modules / "ajv").resolve(), root / f"docs/schemas/{schema}.schema.json"],
        input=json.dumps(printed | broken), check=True, stdout=subprocess.PIPE, text=True).stdout)
    wrong = [f"{schema}: {name}: {'; '.join(verdicts[name][:3])}" for name in printed if verdicts[name]]
    return wrong + [f"{schema}: {name}: not refused" for name in broken if not verdicts[name]]


def not_reached(what: str, printed: dict, wanted: dict) -> list[str]:
    """The check proves little unless every kind of answer was looked at."""
    return [f"no {what} has {kind}" for kind, reached in wanted.items() if not any(map(reached, printed.values()))]


class Broken:
    """Copies of a good document, each with one thing wrong."""

    def __init__(self, good: dict):
        self.good = good
        self.documents = {}

    def breaks(self, name: str, change) -> None:
        document = copy.deepcopy(self.good)
        change(document)
        self.documents[f"broken: {name}"] = document

    def lacks_each(self, where: str = "", at=lambda document: document, optional: tuple = ()) -> None:
        """Without each field of the part that `at` finds, but for those that need not be there."""
        for field in at(self.good):
            if field not in optional:
                self.breaks(f"{where}without {field}", lambda document: at(document).pop(field))

    def nulls_each(self) -> None:
        for field in self.good:
            self.breaks(f"{field} is null", lambda document: document.update({field: None}))

    def sets(self, changes: dict) -> None:
        for field, value in changes.items():
            self.breaks(f"{field} is {value}", lambda document: document.update({field: value}))
