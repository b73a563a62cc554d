"""A Ray of two nodes on this computer, as a program: it prints its address, kills the second node when it reads a line, and ends with its input."""

from __future__ import annotations

import sys
from typing import Any

from ray.cluster_utils import Cluster

SIZE: dict[str, Any] = {"num_cpus": 1, "object_store_memory": 80 << 20}


def main() -> None:
    cluster = Cluster(
        initialize_head=True, head_node_args=SIZE | {"include_dashboard": False, "include_log_monitor": False, "no_monitor": True}
    )
    second = cluster.add_node(**SIZE)
    print(cluster.address, flush=True)
    for _ in sys.stdin:
        cluster.remove_node(second, allow_graceful=False)
        print("killed", flush=True)
    cluster.shutdown()


if __name__ == "__main__":
    main()
