"""Thermographs: computed exactly, and drawn."""
