"""Benchmarks that compare: ``python -m benchmarks [NAME …]``.

A module with a function ``rows()`` is a benchmark: it returns a :class:`benchmarks.harness.Row` for each figure, and those are measured one by one.
A figure is never a bare time: it stands beside a named reference that was measured in the same run.
"""
