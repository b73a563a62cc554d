"""Expendibots' endgame tables: made, verified, counted and asked."""
