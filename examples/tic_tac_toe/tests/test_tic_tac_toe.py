"""What every game for Ludarium keeps."""

from ludarium.testing.plugin import conformance

test_tic_tac_toe = conformance("tic-tac-toe")
