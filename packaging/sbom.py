"""The bill of materials of a package, in SPDX 2.3 (JSON): everything that is linked into the program or lies beside it."""
import datetime
import json
import re

import parts


def _id(name):
    return "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", name)


def document(root, version, commit, epoch):
    created = datetime.datetime.fromtimestamp(epoch, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    packages = [{"SPDXID": "SPDXRef-knapsack", "name": "knapsack", "versionInfo": version, "downloadLocation": "NOASSERTION",
                 "filesAnalyzed": False, "licenseConcluded": "Apache-2.0", "licenseDeclared": "Apache-2.0",
                 "copyrightText": "NOASSERTION", "sourceInfo": f"built from commit {commit}", "primaryPackagePurpose": "APPLICATION"}]
    relations = [{"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES", "relatedSpdxElement": "SPDXRef-knapsack"}]
    for part in parts.all_parts(root):
        package = {"SPDXID": _id(part.name), "name": part.name, "versionInfo": part.version, "downloadLocation": "NOASSERTION",
                   "filesAnalyzed": False, "licenseConcluded": part.licence, "licenseDeclared": part.licence,
                   "copyrightText": "NOASSERTION", "comment": part.purpose,
                   "externalRefs": [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": part.purl}]}
        if part.sha256:
            package["comment"] += f"; what was fetched has the sha256 {part.sha256}"
        packages.append(package)
        linked = "CONTAINS" if part.kind in ("model", "data", "page") else "STATIC_LINK"
        relations.append({"spdxElementId": "SPDXRef-knapsack", "relationshipType": linked, "relatedSpdxElement": _id(part.name)})
    return json.dumps({
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": f"knapsack-{version}",
        "documentNamespace": f"urn:knapsack:spdx:{version}:{commit}",
        "creationInfo": {"created": created, "creators": ["Tool: knapsack-make-dist"]},
        "packages": packages, "relationships": relations}, indent=1, ensure_ascii=False) + "\n"
