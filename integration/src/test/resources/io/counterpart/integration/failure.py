"""Prints what the Python driver says when a statement fails; nothing if it does not.

Arguments: HOST PORT CQL.
"""
import sys

from cassandra.cluster import Cluster
from cassandra.policies import FallthroughRetryPolicy
from cassandra.query import SimpleStatement

host, port, cql = sys.argv[1:4]
# by default the driver gives a busy node 2 s for each question about the cluster
with Cluster(
    [host], port=int(port), connect_timeout=60, control_connection_timeout=60
) as cluster:
    try:
        statement = SimpleStatement(cql, retry_policy=FallthroughRetryPolicy())
        cluster.connect().execute(statement, timeout=60)
    except Exception as failure:  # whatever it is
        print(failure)
