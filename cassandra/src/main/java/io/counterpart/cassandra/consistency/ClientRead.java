package io.counterpart.cassandra.consistency;

import io.counterpart.cassandra.consistency.policy.Policies;
import io.counterpart.cassandra.consistency.policy.PolicyTable;
import io.counterpart.core.staleness.decide.ReadShape;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.cassandra.cql3.QueryOptions;
import org.apache.cassandra.cql3.restrictions.StatementRestrictions;
import org.apache.cassandra.cql3.statements.SelectStatement;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.exceptions.InvalidRequestException;
import org.apache.cassandra.schema.SchemaConstants;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.service.QueryState;
import org.jspecify.annotations.Nullable;

/**
 * A SELECT as a client sent it.
 *
 * @param payload of the request, or null
 */
record ClientRead(
    SelectStatement select,
    QueryState state,
    QueryOptions options,
    @Nullable Map<String, ByteBuffer> payload) {

  TableMetadata table() {
    return select.table;
  }

  Policies.TableName tableName() {
    return new Policies.TableName(select.table.keyspace, select.table.name);
  }

  /** What it reads, as far as the statement tells; several keys of an IN count as several. */
  ReadShape shape() {
    TableMetadata table = select.table;
    if (table.isVirtual()) {
      return ReadShape.VIRTUAL_TABLE;
    }
    if (SchemaConstants.isSystemKeyspace(table.keyspace)
        || table.keyspace.equals(PolicyTable.KEYSPACE)) {
      return ReadShape.SYSTEM_TABLE;
    }
    if (table.isView()) {
      return ReadShape.VIEW;
    }
    if (table.isCounter()) {
      return ReadShape.COUNTER;
    }
    StatementRestrictions restrictions = select.getRestrictions();
    if (restrictions.usesSecondaryIndexing() || restrictions.isTopK()) {
      return ReadShape.INDEX;
    }
    if (restrictions.isKeyRange() || restrictions.keyIsInRelation()) {
      return ReadShape.SEVERAL_PARTITIONS;
    }
    return restrictions.getIndexRestrictions().isEmpty()
        ? ReadShape.ONE_PARTITION
        : ReadShape.FILTERED;
  }

  /** The same at another level, for another thread: see {@link ReadOptions#copyAt}. */
  ClientRead copyAt(ConsistencyLevel level) {
    return new ClientRead(select, state, ReadOptions.copyAt(this, level), payload);
  }

  /** The partition's key; only of {@link ReadShape#ONE_PARTITION}. */
  ByteBuffer key() {
    // named values have no order before
    options.prepare(select.getBindVariables());
    List<ByteBuffer> keys =
        select.getRestrictions().getPartitionKeys(options, state.getClientState());
    return keys.get(0);
  }

  /** The partition's key; empty if a value is missing or null, which Cassandra refuses. */
  Optional<ByteBuffer> keyIfLegal() {
    try {
      return BoundValues.areComplete(select, options) ? Optional.of(key()) : Optional.empty();
    } catch (InvalidRequestException e) {
      return Optional.empty();
    }
  }
}
