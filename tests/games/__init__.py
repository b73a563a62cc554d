"""Tiny games with known values, for tests only. They are not registered: tests make them from their classes."""
