"""Asks questions and reads each answer with generated types, and writes it again.

Usage: generated.py FOLDER BASE_URL QUESTIONS_FILE
FOLDER holds hailstone_types.py. Prints one JSON object: how many answers there were, and what was wrong.
"""

import json
import re
import sys
import urllib.request


def snake(name):
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


def without_nulls(value):
    """Generated writers leave out what is null."""
    if isinstance(value, dict):
        return {name: without_nulls(member) for name, member in value.items() if member is not None}
    return [without_nulls(item) for item in value] if isinstance(value, list) else value


def is_same(one, other):
    """A number that is read as a double stays that double, however many digits it was written with."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(is_same(one[name], other[name]) for name in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(is_same, one, other))
    return float(one) == float(other) if isinstance(one, float) else one == other


def main(folder, base_url, questions_file):
    sys.path.insert(0, folder)
    import hailstone_types

    with open(questions_file, encoding="utf-8") as file:
        questions = json.load(file)
    problems = []
    for question in questions:
        name = snake(question["operationId"])
        try:
            with urllib.request.urlopen(base_url + question["path"], timeout=10) as response:
                answer = json.loads(response.read().decode())
            typed = getattr(hailstone_types, name + "_from_dict")(answer)
            again = getattr(hailstone_types, name + "_to_dict")(typed)
            if not is_same(without_nulls(again), without_nulls(answer)):
                problems.append(f"{question['path']}: read as {again!r}")
        except Exception as error:
            problems.append(f"{question['path']}: {error!r}")
    print(json.dumps({"answers": len(questions), "problems": problems}))


if __name__ == "__main__":
    main(*sys.argv[1:])
