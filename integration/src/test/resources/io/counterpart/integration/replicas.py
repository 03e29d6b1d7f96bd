"""Prints where the Python driver sends a read of each partition key, and the key's replicas.

Arguments: HOST PORT KEYSPACE KEY..., keys are CQL ints. A line for each key:
KEY FIRST_HOST_OF_THE_PLAN REPLICA...
"""
import sys

from cassandra.cluster import Cluster
from cassandra.policies import RoundRobinPolicy, TokenAwarePolicy
from cassandra.query import SimpleStatement

host, port, keyspace = sys.argv[1:4]
policy = TokenAwarePolicy(RoundRobinPolicy())
# by default the driver gives a busy node 2 s for each question about the cluster
with Cluster(
    [host],
    port=int(port),
    load_balancing_policy=policy,
    connect_timeout=60,
    control_connection_timeout=60,
) as cluster:
    cluster.connect()
    for key in sys.argv[4:]:
        routing_key = int(key).to_bytes(4, "big", signed=True)
        query = SimpleStatement("SELECT", routing_key=routing_key, keyspace=keyspace)
        first = next(iter(policy.make_query_plan(keyspace, query)))
        replicas = cluster.metadata.get_replicas(keyspace, routing_key)
        print(key, first.address, *(replica.address for replica in replicas))
