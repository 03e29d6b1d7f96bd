package io.counterpart.recovery;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.counterpart.core.recovery.Restored;
import io.counterpart.core.recovery.TokenRange;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The state file: which ranges of which keyspace were restored, for one host id. Written after each
 * step, atomically; deleted when the node is whole. Used by one thread.
 */
final class RecoveryState {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Path file;
  private final String hostId;
  private final Map<String, Restored> keyspaces;

  /** What is in the file. */
  record Content(String hostId, Map<String, Restored> keyspaces) {}

  private RecoveryState(Path file, String hostId, Map<String, Restored> keyspaces) {
    this.file = file;
    this.hostId = hostId;
    this.keyspaces = new TreeMap<>(keyspaces);
  }

  /**
   * Reads the file; another host's state counts as none.
   *
   * @throws RecoveryRefusedException if the file is damaged
   */
  static RecoveryState read(Path file, String hostId) {
    if (!Files.exists(file)) {
      return new RecoveryState(file, hostId, Map.of());
    }
    try {
      Content content = JSON.readValue(file.toFile(), Content.class);
      return new RecoveryState(
          file, hostId, content.hostId().equals(hostId) ? content.keyspaces() : Map.of());
    } catch (IOException | IllegalArgumentException e) {
      throw new RecoveryRefusedException(
          "cannot read " + file + " (delete it to begin anew): " + e.getMessage());
    }
  }

  Optional<Restored> of(String keyspace) {
    return Optional.ofNullable(keyspaces.get(keyspace));
  }

  void add(String keyspace, Restored more) {
    Set<TokenRange> all = new HashSet<>(more.ranges());
    // what a rebuild gave is not repaired yet
    of(keyspace)
        .filter(before -> before.way() == more.way())
        .ifPresent(before -> all.addAll(before.ranges()));
    keyspaces.put(keyspace, new Restored(more.way(), all));
    write();
  }

  /** For keyspaces that are whole, or are restored from the beginning. */
  void forget(Collection<String> done) {
    keyspaces.keySet().removeAll(done);
    try {
      if (keyspaces.isEmpty()) {
        Files.deleteIfExists(file);
      } else {
        write();
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot delete " + file, e);
    }
  }

  private void write() {
    try {
      Path next = file.resolveSibling(file.getFileName() + ".next");
      JSON.writeValue(next.toFile(), new Content(hostId, keyspaces));
      Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write " + file, e);
    }
  }

  /** Whether nobody else has the file's lock; otherwise, or if it fails, closes the channel. */
  static boolean tryLock(FileChannel channel) throws IOException {
    boolean isHeld = false;
    try {
      isHeld = channel.tryLock() != null; // null in another process, an exception in this one
      return isHeld;
    } catch (OverlappingFileLockException heldHere) {
      return false;
    } finally {
      if (!isHeld) {
        channel.close();
      }
    }
  }

  /**
   * Makes sure that nobody else recovers by this file; the lock ends with the channel, so with the
   * process at the latest.
   */
  static FileChannel lock(Path file) {
    Path lock = file.resolveSibling(file.getFileName() + ".lock");
    try {
      Files.createDirectories(lock.toAbsolutePath().getParent());
      FileChannel channel =
          FileChannel.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      if (!tryLock(channel)) {
        throw new RecoveryRefusedException(
            "another recovery of this node is at work; it holds " + lock);
      }
      return channel;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot lock " + lock, e);
    }
  }
}
