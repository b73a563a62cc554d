"""Benchmarks that compare: ``python -m benchmarks [NAME …] [--json]``.

Every module here but ``harness`` is a benchmark: its function ``rows()`` measures, and yields a :class:`benchmarks.harness.Row` for each figure.
A figure is never a bare time: it stands beside a named reference that was measured in the same run.
"""
