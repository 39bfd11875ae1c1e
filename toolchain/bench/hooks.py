"""What four small hooks do, as one would write them by hand for sh and Python. Its argument says which."""
import json
import os
import re
import sys
import time

CLAIM = re.compile(r"\b(done|complete|completed|finished|shipped|all tests pass|works now)\b", re.I)
PROOF = re.compile(r"e2e-evidence/|evidence-inventory|step-\d+|screenshot|curl .*200|verdict")
SECRET = re.compile(
    r"sk-[A-Za-z0-9_-]{16,}|ghp_[A-Za-z0-9]{20,}|AKIA[0-9A-Z]{16}|BEGIN (RSA|OPENSSH|EC|PGP) PRIVATE KEY|api[_-]?key"
)
DOCTRINE = "Work is done when the running system has shown it. " * 20


def stop(event):
    if event.get("stop_hook_active") or not os.path.isfile(event["transcript_path"]):
        return 0
    with open(event["transcript_path"], "rb") as file:
        file.seek(0, os.SEEK_END)
        file.seek(max(0, file.tell() - 1024 * 1024))
        lines = file.read().decode("utf-8", "replace").splitlines()[-40:]
    claims = [line for line in lines if '"type":"assistant"' in line and CLAIM.search(line)]
    if claims and not any(PROOF.search(line) for line in lines):
        print(json.dumps({"decision": "block", "reason": "Show that it works, or say UNVERIFIED."}))
    return 0


def evidence(event):
    tool = event["tool_input"]
    text = tool.get("content") or tool.get("new_string") or ""
    if re.search(r"(^|/)(e2e-)?evidence/", tool["file_path"]) and SECRET.search(text):
        print("a secret in evidence", file=sys.stderr)
        return 2
    return 0


def start(event):
    answer = {"hookEventName": "SessionStart", "additionalContext": DOCTRINE}
    print(json.dumps({"hookSpecificOutput": answer}))
    return 0


def load(event):
    line = {
        "ts": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        "filePath": event.get("file_path"),
        "loadReason": event.get("load_reason"),
        "cwd": event.get("cwd"),
    }
    with open(os.path.join(os.environ["CLAUDE_CONFIG_DIR"], "loads.jsonl"), "a") as file:
        file.write(json.dumps(line) + "\n")
    return 0


sys.exit({"stop": stop, "evidence": evidence, "start": start, "load": load}[sys.argv[1]](json.load(sys.stdin)))
