package io.counterpart.cache.service;

import io.counterpart.cache.metadata.disk.DurableFiles;
import io.counterpart.cache.store.StoreLimits;
import io.counterpart.cache.store.behind.WriteBehindSettings;
import io.counterpart.cache.store.cassandra.CassandraOptions;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The options of the persistent store behind a proxy's tier.
 *
 * @param limits bounds on the requests to the store
 * @param behind directory of pending changes, for write-behind; null for write-through
 */
public record StoreOptions(CassandraOptions cassandra, StoreLimits limits, @Nullable Path behind) {
  private static final String SHARD = "shard-";

  /** The file in the directory of pending changes that names their table. */
  private static final String TABLE = "table";

  /** The part of the limits that one of several shards has. */
  StoreLimits limits(int shards) {
    return limits.divided(shards);
  }

  /** The settings of write-behind of one of several shards; null for write-through. */
  @Nullable WriteBehindSettings behind(int shard, int shards) {
    if (behind == null) {
      return null;
    }
    Path directory = shards == 1 ? behind : directory(behind, shard);
    return WriteBehindSettings.of(directory).divided(shards);
  }

  private static Path directory(Path behind, int shard) {
    return behind.resolve(SHARD + shard);
  }

  /**
   * Checks that no pending changes are of another number of shards: they would be forgotten.
   *
   * @throws IOException with the directory that has them
   */
  void requireShards(int shards) throws IOException {
    if (behind == null || !Files.isDirectory(behind)) {
      return;
    }
    if (shards > 1 && hasChanges(behind)) {
      throw new IOException(wrongShards(behind, shards));
    }
    for (int shard = shards == 1 ? 0 : shards; shard < SchemeOptions.MOST_SHARDS; shard++) {
      Path other = directory(behind, shard);
      if (Files.isDirectory(other) && hasChanges(other)) {
        throw new IOException(wrongShards(other, shards));
      }
    }
  }

  /**
   * Checks that no pending changes are of another table, and notes whose those to come are: they
   * would be written to the wrong table, and be missing in their own.
   *
   * @throws IOException with the directory that has them, and their table
   */
  void claimTable() throws IOException {
    if (behind == null) {
      return;
    }
    String own = cassandra.keyspace() + "." + cassandra.table();
    Path note = behind.resolve(TABLE);
    // versions before this one left none
    String noted = Files.exists(note) ? Files.readString(note).strip() : "";
    if (noted.equals(own)) {
      return;
    }
    if (!noted.isEmpty() && hasChangesOfAnyShard(behind)) {
      throw new IOException(
          "%s has changes for the table %s, not %s: start with that one until they are written, or"
                  .formatted(behind, noted, own)
              + " delete them");
    }
    DurableFiles.makeDirectories(behind);
    DurableFiles.write(note, own + "\n");
  }

  private static boolean hasChangesOfAnyShard(Path behind) throws IOException {
    boolean has = hasChanges(behind);
    for (int shard = 0; !has && shard < SchemeOptions.MOST_SHARDS; shard++) {
      Path directory = directory(behind, shard);
      has = Files.isDirectory(directory) && hasChanges(directory);
    }
    return has;
  }

  private static boolean hasChanges(Path directory) throws IOException {
    try (DirectoryStream<Path> logs = Files.newDirectoryStream(directory, "behind-*.log")) {
      return logs.iterator().hasNext();
    }
  }

  private static String wrongShards(Path directory, int shards) {
    return ("%s has changes for the store of a tier with another number of shards than %d: start"
            + " that tier until they are written, or delete them")
        .formatted(directory, shards);
  }

  /** The notation for people, such as {@code cassandra at 10.0.0.1:9042, table app.objects, …}. */
  @Override
  public String toString() {
    return "cassandra at %s, table %s.%s, %s"
        .formatted(
            cassandra.contactPoints().stream()
                .map(address -> address.getHostString() + ":" + address.getPort())
                .collect(Collectors.joining(",")),
            cassandra.keyspace(),
            cassandra.table(),
            behind == null ? "write-through" : "write-behind");
  }
}
