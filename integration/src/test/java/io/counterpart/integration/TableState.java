package io.counterpart.integration;

import com.datastax.oss.driver.api.core.cql.Row;

/** One node's row about one table in {@code counterpart.tables}. */
record TableState(Row row) {

  String mode() {
    return row.getString("mode");
  }

  boolean scatteredGroups() {
    return row.getBoolean("scattered_groups");
  }

  int rangeGroups() {
    return row.getInt("range_groups");
  }

  int primarySstables() {
    return row.getInt("primary_sstables");
  }

  int segments() {
    return row.getInt("segments");
  }

  int runs() {
    return row.getInt("runs");
  }

  int otherFormatSstables() {
    return row.getInt("other_format_sstables");
  }

  int backlog() {
    return row.getInt("backlog");
  }

  long primaryBytes() {
    return row.getLong("primary_bytes");
  }

  long widePrimaryBytes() {
    return row.getLong("wide_primary_bytes");
  }

  long segmentBytes() {
    return row.getLong("segment_bytes");
  }

  long runBytes() {
    return row.getLong("run_bytes");
  }

  long mixedBytes() {
    return row.getLong("mixed_bytes");
  }

  long foreignBytes() {
    return row.getLong("foreign_bytes");
  }

  /** All but what the node does not own. */
  long ownBytes() {
    return primaryBytes() + widePrimaryBytes() + segmentBytes() + runBytes() + mixedBytes();
  }

  @Override
  public String toString() {
    return row.getFormattedContents();
  }
}
