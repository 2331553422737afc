"""Seconds of a command and its peak of memory, of that process alone.

    python bench/timed.py TIMES COMMAND …
"""

import os
import subprocess
import sys
import time

for _ in range(int(sys.argv[1])):
    start = time.perf_counter()
    process = subprocess.Popen(sys.argv[2:], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    print(f"seconds\t{time.perf_counter() - start:.6f}")
    print(f"peak\t{usage.ru_maxrss / 1024:.1f}")
    if code := os.waitstatus_to_exitcode(status):
        sys.exit(code)
