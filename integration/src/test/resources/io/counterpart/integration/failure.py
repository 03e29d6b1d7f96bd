"""Prints what the Python driver says when a statement fails; nothing if it does not.

Arguments: HOST PORT CQL.
"""
import sys

from cassandra.cluster import Cluster
from cassandra.policies import FallthroughRetryPolicy
from cassandra.query import SimpleStatement

host, port, cql = sys.argv[1:4]
with Cluster([host], port=int(port)) as cluster:
    try:
        statement = SimpleStatement(cql, retry_policy=FallthroughRetryPolicy())
        cluster.connect().execute(statement)
    except Exception as failure:  # whatever it is
        print(failure)
