"""A client that knows nothing but openapi.json: it makes one method of each operation and checks every answer.

Usage: client.py OPENAPI_FILE BASE_URL VALUES_FILE
Prints one JSON object: how many operations and answers there were, and what was wrong. Python 3, standard
library alone.
"""

import json
import re
import sys
import urllib.error
import urllib.parse
import urllib.request

KINDS = {
    "string": lambda value: isinstance(value, str),
    "integer": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "number": lambda value: isinstance(value, (int, float)) and not isinstance(value, bool),
    "boolean": lambda value: isinstance(value, bool),
    "null": lambda value: value is None,
    "array": lambda value: isinstance(value, list),
    "object": lambda value: isinstance(value, dict),
}
SILENT = {"description", "examples", "format", "title", "propertyNames"}


class Document:
    def __init__(self, text):
        self.root = json.loads(text)

    def resolve(self, node):
        while "$ref" in node:
            target = self.root
            for name in node["$ref"].lstrip("#/").split("/"):
                target = target[name]
            node = target
        return node

    def operations(self):
        for path, methods in self.root["paths"].items():
            for method, operation in methods.items():
                yield path, method.upper(), operation

    def problem(self, value, schema, at):
        """The first way in which a value does not fit its schema, or None."""
        schema = self.resolve(schema)
        for keyword, rule in schema.items():
            found = self.keyword(keyword, rule, value, schema, at)
            if found is not None:
                return found
        return None

    def keyword(self, keyword, rule, value, schema, at):
        if keyword in SILENT:
            return None
        if keyword == "type":
            kinds = rule if isinstance(rule, list) else [rule]
            return None if any(KINDS[kind](value) for kind in kinds) else f"{at} is not {rule}: {value!r}"
        if keyword in ("enum", "const"):
            allowed = rule if keyword == "enum" else [rule]
            return None if value in allowed else f"{at} is none of {allowed}"
        if keyword == "pattern":
            fits = not isinstance(value, str) or re.search(rule, value)
            return None if fits else f"{at} does not match {rule}"
        if keyword == "minimum":
            return f"{at} is below {rule}" if KINDS["number"](value) and value < rule else None
        if keyword == "maximum":
            return f"{at} is above {rule}" if KINDS["number"](value) and value > rule else None
        if keyword == "required":
            absent = [name for name in rule if isinstance(value, dict) and name not in value]
            return f"{at}.{absent[0]} is absent" if absent else None
        if keyword == "items":
            return self.first(value if isinstance(value, list) else [], lambda n, item: (item, rule, f"{at}[{n}]"))
        if keyword in ("properties", "additionalProperties"):
            return self.members(value, schema, at)
        if keyword in ("anyOf", "oneOf"):
            fitting = [one for one in rule if self.problem(value, one, at) is None]
            is_right = len(fitting) == 1 if keyword == "oneOf" else len(fitting) > 0
            return None if is_right else f"{at} fits {len(fitting)} of its forms"
        raise ValueError(f"unknown keyword {keyword} at {at}")

    def first(self, items, describe):
        for number, item in enumerate(items):
            found = self.problem(*describe(number, item))
            if found is not None:
                return found
        return None

    def members(self, value, schema, at):
        if not isinstance(value, dict):
            return None
        for name, member in value.items():
            described = schema.get("properties", {}).get(name, schema.get("additionalProperties"))
            if described is None:
                return f"{at}.{name} is not described"
            found = None if described is True else self.problem(member, described, f"{at}.{name}")
            if found is not None:
                return found
        return None


class Client:
    """Has a method for every operation of the document, named after its operationId."""

    def __init__(self, document, base_url):
        self.document = document
        self.base_url = base_url
        self.answers = 0
        self.problems = []
        for path, method, operation in document.operations():
            setattr(self, operation["operationId"], self.method(path, method, operation))

    def method(self, path, method, operation):
        names = [parameter["name"] for parameter in operation["parameters"]]

        def call(body=None, **query):
            unknown = [name for name in query if name not in names]
            if unknown:
                raise TypeError(f"{operation['operationId']} has no parameter {unknown[0]}")
            return self.ask(path, method, operation, query, body)

        return call

    def ask(self, path, method, operation, query, body):
        url = self.base_url + path + ("?" + urllib.parse.urlencode(query) if query else "")
        data = None if body is None else json.dumps(body).encode()
        headers = {} if data is None else {"content-type": "application/json"}
        request = urllib.request.Request(url, data=data, method=method, headers=headers)
        try:
            with urllib.request.urlopen(request, timeout=10) as response:
                status, head, text = response.status, response.headers, response.read().decode()
        except urllib.error.HTTPError as error:
            status, head, text = error.code, error.headers, error.read().decode()
        self.answers += 1
        found = self.check(operation, status, head.get("content-type") or "", text)
        if found is not None:
            self.problems.append(f"{method} {url}: {status}: {found}")
        return status, text

    def check(self, operation, status, content_type, text):
        described = operation["responses"].get(str(status))
        if described is None:
            return "the status is not described"
        described = self.document.resolve(described)
        if text == "":
            return None if "zero length" in described["description"] else "the body is empty"
        media = content_type.split(";")[0]
        if media not in described.get("content", {}):
            return f"the content type {content_type!r} is not described"
        value = text if media == "text/plain" else json.loads(text)
        return self.document.problem(value, described["content"][media]["schema"], "answer")


def query_of(operation, values):
    """Known values first, then the example of the document."""
    given = values.get(operation["operationId"], {})
    query = {}
    for parameter in operation["parameters"]:
        name = parameter["name"]
        if name in given:
            query[name] = given[name]
        elif "example" in parameter:
            query[name] = parameter["example"]
    return query


def main(document_file, base_url, values_file):
    with open(document_file, encoding="utf-8") as file:
        document = Document(file.read())
    with open(values_file, encoding="utf-8") as file:
        values = json.load(file)
    client = Client(document, base_url)
    succeeded = []
    for _, method, operation in document.operations():
        name = operation["operationId"]
        call = getattr(client, name)
        if method == "POST":
            call(body=values.get(name, {}).get("body"))
            call(body=[])
            continue
        status, text = call(**query_of(operation, values))
        if status == 200 and text != "":
            succeeded.append(name)
        call()
        repeated = operation["parameters"][:1]
        if repeated:
            call(**{repeated[0]["name"]: "nonsense"})
    print(
        json.dumps(
            {
                "operations": sum(1 for _ in document.operations()),
                "answers": client.answers,
                "succeeded": sorted(succeeded),
                "problems": client.problems,
            }
        )
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
