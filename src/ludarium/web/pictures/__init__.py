"""Drawings that the server makes besides boards: faces, and pictures as PNG."""
