package io.counterpart.engine.redis;

import io.counterpart.engine.StoreException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What the tables of one open store share. Thread-safe. */
final class OpenStore implements AutoCloseable {
  private final String name;
  private final Path directory;
  private final StoreKeys keys;
  private final SharedDatabases.Lease lease;
  private final Patience patience;
  private final AtomicLong number;

  /** The highest number that the server has answered for. */
  private final AtomicLong acknowledged;

  /** Null where the server may forget. */
  private volatile @Nullable NumberFile file;

  private final AtomicBoolean closed = new AtomicBoolean();

  /**
   * @param name for messages, with the server's
   * @param number the write number that this process has taken
   */
  OpenStore(
      String name,
      Path directory,
      StoreKeys keys,
      SharedDatabases.Lease lease,
      Patience patience,
      long number) {
    this.name = name;
    this.directory = directory;
    this.keys = keys;
    this.lease = lease;
    this.patience = patience;
    this.number = new AtomicLong(number);
    this.acknowledged = new AtomicLong(number);
  }

  String name() {
    return name;
  }

  StoreKeys keys() {
    return keys;
  }

  Database database() {
    return lease.database();
  }

  /** For one attempt to write. */
  long nextNumber() {
    return number.incrementAndGet();
  }

  /**
   * From now on, and when the store is opened again, a server without what it has answered for
   * counts as one that lost the store.
   */
  void requireAll() {
    file = NumberFile.open(directory, acknowledged.get());
  }

  /** The server has at least this number, unless it has lost what it must not lose. */
  long acknowledged() {
    return file == null ? 0 : acknowledged.get();
  }

  void acknowledge(long written) {
    long highest = acknowledged.accumulateAndGet(written, Math::max);
    NumberFile required = file;
    if (required != null) {
      required.set(highest);
    }
  }

  /** Repeats a call while the server is away. */
  <T extends @Nullable Object> T outlast(Supplier<T> call) {
    return patience.outlast(name, call);
  }

  StoreException lost() {
    return lost(name, directory);
  }

  /** The failure of a store that its server has no more. */
  static StoreException lost(String name, Path directory) {
    return new StoreException(
        ("%s: the server had this store and has it no more, or lacks its last writes: it was"
                + " emptied, lost files, or is another one. To begin with an empty store, stop the node and delete %s;"
                + " to go on with what the server has, delete %s in it alone, and repair the node")
            .formatted(name, directory, NumberFile.NAME));
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      NumberFile required = file;
      try {
        if (required != null) {
          required.close();
        }
      } finally {
        lease.close();
      }
    }
  }
}
