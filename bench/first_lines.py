#!/usr/bin/env python3
"""The tasks that people type: of each task of the given sets its first line alone, to standard output.

    python3 bench/first_lines.py TASKS.jsonl... > first_lines.jsonl
    knapsack eval first_lines.jsonl --repos DIR --work DIR --no-meaning --all
"""

import json
import sys

for path in sys.argv[1:]:
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            task = json.loads(line)
            task["query"] = task["query"].strip().split("\n")[0].strip()
            print(json.dumps(task))
