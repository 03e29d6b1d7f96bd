package io.counterpart.engine.sql;

import io.counterpart.engine.DurableFiles;
import io.counterpart.engine.StoreException;
import io.counterpart.engine.StorePlace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * The note in a store's directory that its table was created. So a server that has lost the table,
 * or a URL of another server, is an error, and not an empty store.
 *
 * @param place of the store
 * @param names of its table
 */
record CreatedTable(StorePlace place, SqlNames names) {

  private Path file() {
    return place.directory().resolve("sql-table");
  }

  boolean isRecorded() {
    return Files.exists(file());
  }

  /**
   * @throws StoreException if the server has no such table
   */
  void require(Connection connection, SqlOptions options) throws SQLException {
    try (PreparedStatement query =
        connection.prepareStatement(
            "SELECT 1 FROM information_schema.TABLES WHERE TABLE_SCHEMA = ? AND TABLE_NAME = ?")) {
      query.setString(1, names.database());
      query.setString(2, names.table());
      try (ResultSet rows = query.executeQuery()) {
        if (!rows.next()) {
          throw new StoreException(
              ("%s has lost the table %s. Is it the server of before? Restore the table; or delete"
                      + " %s, and repair the node")
                  .formatted(options, names, place.directory()));
        }
      }
    }
  }

  /** Durable on return: without the note, a table that the server loses would be created anew. */
  void record() {
    try {
      DurableFiles.write(file(), names + "\n");
    } catch (IOException e) {
      throw new StoreException("cannot write " + file(), e);
    }
  }

  void forget() {
    try {
      Files.deleteIfExists(file());
    } catch (IOException e) {
      throw new StoreException("cannot delete " + file(), e);
    }
  }
}
