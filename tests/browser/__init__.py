"""The pages in a real browser. A package, because its browser and server are: they end before other tests begin."""
