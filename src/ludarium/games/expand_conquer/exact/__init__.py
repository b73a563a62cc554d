"""Exact values and outcomes of boards."""
