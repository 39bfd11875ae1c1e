"""What pre-tool-use does for a Write, as one would write it by hand: containment, secrets, unreadable fields.

Its argument is a JSON file with the patterns: [{"literals": [...], "source": "...", "anyCase": bool}].
"""
import json
import os
import re
import sys


def worktree(cwd):
    folder = cwd
    while not os.path.lexists(os.path.join(folder, ".git")):
        above = os.path.dirname(folder)
        if above == folder:
            return cwd
        folder = above
    return folder


def secrets(text, patterns):
    lower = None
    for pattern in patterns:
        where = text
        if pattern["anyCase"]:
            lower = lower if lower is not None else text.lower()
            where = lower
        if any(literal in where for literal in pattern["literals"]):
            if re.search(pattern["source"], text, re.I if pattern["anyCase"] else 0):
                yield "secret: " + pattern["id"]


def records(text):
    if '"fields"' not in text or '"extraction"' not in text:
        return
    try:
        value = json.loads(text)
    except ValueError:
        return
    for record in value if isinstance(value, list) else [value]:
        if not isinstance(record, dict) or not isinstance(record.get("fields"), dict):
            continue
        unreadable = record.get("extraction", {}).get("unreadable")
        if not isinstance(unreadable, list):
            yield "record: cannot say what it failed to read"
            continue
        for name, field in record["fields"].items():
            if name in unreadable:
                yield "record: published while unreadable: " + name
            page = field.get("page") if isinstance(field, dict) else None
            if not isinstance(page, int) or page < 1:
                yield "record: no page: " + name


def judge(event, patterns):
    cwd, tool = os.path.realpath(event["cwd"]), event["tool_input"]
    root = worktree(cwd)
    target = os.path.realpath(os.path.join(cwd, os.path.expanduser(tool["file_path"])))
    if target != root and not target.startswith(root.rstrip("/") + "/"):
        yield "outside the worktree: " + target
    yield from secrets(tool["content"], patterns)
    yield from records(tool["content"])


try:
    with open(sys.argv[1]) as file:
        reasons = list(judge(json.load(sys.stdin), json.load(file)))
except Exception as error:
    reasons = ["failed: " + str(error)]
for reason in reasons[:20]:
    print("DENY  " + reason, file=sys.stderr)
sys.exit(2 if reasons else 0)
