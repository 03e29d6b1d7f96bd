package io.counterpart.lab.workload;

import java.util.regex.Pattern;

/**
 * A table by name.
 *
 * @param keyspace lower-case letters, digits and underscores
 * @param table likewise
 */
public record TableRef(String keyspace, String table) {
  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9_]{0,47}");

  /** Checks the names: they go into CQL unquoted. */
  public TableRef {
    for (String name : new String[] {keyspace, table}) {
      if (!NAME.matcher(name).matches()) {
        throw new IllegalArgumentException(
            "name '%s': must match %s".formatted(name, NAME.pattern()));
      }
    }
  }

  /** As CQL writes it. */
  public String qualified() {
    return keyspace + "." + table;
  }
}
