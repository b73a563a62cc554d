"""A learner: networks that play games against themselves, learn from that, and are exported for everybody to play.

``ludarium train`` and ``docs/training.md`` say how it is used; PyTorch comes with ``pip install 'ludarium[train]'``. Nothing is imported here, because PyTorch
takes seconds.
"""

import os

os.environ.setdefault("OMP_WAIT_POLICY", "passive")
"""How PyTorch's threads wait for each other. Otherwise they do so by spinning: where two other programs shared two cores, a step of learning took 1,350 ms
instead of 130. It is read when PyTorch is loaded."""
