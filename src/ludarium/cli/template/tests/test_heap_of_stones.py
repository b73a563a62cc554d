"""What every game for Ludarium keeps."""

from ludarium.testing.plugin import conformance

test_heap_of_stones = conformance("heap-of-stones")
