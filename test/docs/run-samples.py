"""Runs samples in one process: one line of JSON in for each, one out on the third file. See sample-runner.ts."""

import contextlib
import io
import json
import os
import sys
import traceback

answers = os.fdopen(3, "w")
for line in sys.stdin:
    asked = json.loads(line)
    os.environ.update(asked["env"])
    printed, problem = io.StringIO(), None
    try:
        with open(asked["file"]) as file, contextlib.redirect_stdout(printed):
            exec(compile(file.read(), asked["file"], "exec"), {"__name__": "__main__"})
    except Exception:
        problem = traceback.format_exc()
    answers.write(json.dumps({"printed": printed.getvalue(), "problem": problem}) + "\n")
    answers.flush()
