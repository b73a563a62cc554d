"""The netorcai metaprotocol, version 2: an orchestrator, game logics, and clients. It knows no game.

An *orchestrator* (:mod:`.orchestrator`, served over TCP by :mod:`.server`) stands between one *game logic* and its clients: players, special players
and visualizations. The game logic is an object in the same process (:class:`.logic.GameLogic`) or a program that connects; :mod:`.game_logic` lets such
an object serve any orchestrator, and :mod:`.client` is what a client needs.
"""
