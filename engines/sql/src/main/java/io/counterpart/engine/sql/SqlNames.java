package io.counterpart.engine.sql;

import java.util.Locale;
import java.util.Set;

/**
 * The names of a store on its server.
 *
 * <p>The database is named after the keyspace; a keyspace with the name of one of the server's own
 * databases has {@code _keyspace} behind it. The table is named {@code <table>_<store id>}. Names
 * have at most 64 characters, and a store's id has 16: of a longer table name the first 47
 * characters are kept, since the id alone tells stores apart.
 *
 * @param database not quoted
 * @param table not quoted
 */
record SqlNames(String database, String table) {
  private static final int LONGEST = 64;
  private static final Set<String> OF_THE_SERVER =
      Set.of("mysql", "sys", "information_schema", "performance_schema");

  /**
   * @param id of the store
   */
  static SqlNames of(String keyspace, String table, String id) {
    boolean isTaken = OF_THE_SERVER.contains(keyspace.toLowerCase(Locale.ROOT));
    String suffix = "_" + id;
    return new SqlNames(
        shortened(isTaken ? keyspace + "_keyspace" : keyspace, LONGEST),
        shortened(table, LONGEST - suffix.length()) + suffix);
  }

  private static String shortened(String name, int most) {
    return name.length() <= most ? name : name.substring(0, most);
  }

  /** The table with its database, for a statement. */
  String quotedTable() {
    return quoted(database) + "." + quoted(table);
  }

  /** Something in the table's database, for a statement. */
  String inDatabase(String name) {
    return quoted(database) + "." + quoted(name);
  }

  String quotedDatabase() {
    return quoted(database);
  }

  private static String quoted(String name) {
    return "`" + name.replace("`", "``") + "`";
  }

  @Override
  public String toString() {
    return database + "." + table;
  }
}
