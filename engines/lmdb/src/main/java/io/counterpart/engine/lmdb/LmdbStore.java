package io.counterpart.engine.lmdb;

import io.counterpart.engine.DurableFiles;
import io.counterpart.engine.KeyBuckets;
import io.counterpart.engine.KvBatch;
import io.counterpart.engine.KvSnapshot;
import io.counterpart.engine.KvStore;
import io.counterpart.engine.StoreClosedException;
import io.counterpart.engine.StoreException;
import io.counterpart.engine.StoreStats;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.NavigableMap;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.lmdbjava.ByteArrayProxy;
import org.lmdbjava.Dbi;
import org.lmdbjava.DbiFlags;
import org.lmdbjava.Env;
import org.lmdbjava.EnvFlags;
import org.lmdbjava.LmdbException;
import org.lmdbjava.Stat;
import org.lmdbjava.Txn;

/**
 * A store in one LMDB environment with one database.
 *
 * <p>Commits are durable: none of LMDB's flags that trade that away is set. {@code MDB_NOTLS} lets
 * a snapshot move between threads. {@code MDB_NORDAHEAD} has a cold read take its own pages from
 * disk; the system would read 128 KiB around each of them. The map begins with the provider's size
 * and doubles before a batch might not fit; the file itself takes only what is used.
 */
final class LmdbStore implements KvStore {
  /** LMDB's keys have at most 511 bytes. */
  static final KeyBuckets BUCKETS = new KeyBuckets(500);

  private static final String DATABASE = "entries";

  /** Of this process: LMDB takes each file once. */
  private static final Set<Path> OPEN = ConcurrentHashMap.newKeySet();

  private static final int MOST_READERS = 4096;
  private static final long WAIT_MILLIS = 10_000;

  /** A batch changes whole pages, and LMDB copies every page on the way to the root. */
  private static final int PAGES_PER_BYTE = 4;

  private static final long RESERVE_BYTES = 1 << 20;

  private final Path directory;
  private final Env<byte[]> env;
  private final Dbi<byte[]> database;
  private final ReadTransactions readers;
  private final TransactionGate gate;
  private final Object writer = new Object();

  private LmdbStore(Path directory, Env<byte[]> env) {
    this.directory = directory;
    this.env = env;
    this.database = env.openDbi(DATABASE, DbiFlags.MDB_CREATE);
    this.readers = new ReadTransactions(env);
    this.gate = new TransactionGate(toString(), WAIT_MILLIS);
  }

  /**
   * @throws StoreException also if this process has the directory open, which would destroy it
   */
  static LmdbStore open(Path directory, long firstMapBytes) {
    Path path = directory.toAbsolutePath().normalize();
    if (!OPEN.add(path)) {
      throw new StoreException("the LMDB store " + path + " is open, or a reader still uses it");
    }
    try {
      DurableFiles.createDirectories(path);
      Path file = path.resolve("data.mdb");
      long mapBytes = firstMapBytes;
      while (Files.exists(file) && mapBytes < 2 * Files.size(file)) {
        mapBytes *= 2;
      }
      Env<byte[]> env =
          Env.create(ByteArrayProxy.PROXY_BA)
              .setMapSize(mapBytes)
              .setMaxDbs(1)
              .setMaxReaders(MOST_READERS)
              .open(path.toFile(), EnvFlags.MDB_NOTLS, EnvFlags.MDB_NORDAHEAD);
      try {
        DurableFiles.sync(path);
        return new LmdbStore(path, env);
      } catch (IOException | RuntimeException e) {
        env.close();
        throw e;
      }
    } catch (IOException | RuntimeException | LinkageError e) {
      // the latter where the native library may not be loaded
      OPEN.remove(path);
      throw new StoreException("cannot open the LMDB store " + path, e);
    }
  }

  @Override
  public KvSnapshot snapshot() {
    gate.enter();
    try {
      return new LmdbSnapshot(this, database, readers.take());
    } catch (LmdbException e) {
      gate.leave();
      throw failed("begin a read", e);
    }
  }

  /** Takes back the transaction of a snapshot. */
  void release(Txn<byte[]> transaction) {
    try {
      readers.give(transaction);
    } finally {
      gate.leave();
    }
  }

  @Override
  public void write(KvBatch batch) {
    synchronized (writer) {
      reserve(PAGES_PER_BYTE * batch.bytes() + RESERVE_BYTES);
      while (!isWritten(batch)) {
        grow();
      }
    }
  }

  /** False if the map is too small. */
  private boolean isWritten(KvBatch batch) {
    gate.enter();
    try (Txn<byte[]> transaction = env.txnWrite()) {
      if (batch.clears()) {
        database.drop(transaction);
      }
      for (KvBatch.Operation operation : batch.operations()) {
        apply(transaction, operation);
      }
      transaction.commit();
      return true;
    } catch (Env.MapFullException full) {
      return false;
    } catch (LmdbException e) {
      throw failed("write", e);
    } finally {
      gate.leave();
    }
  }

  private void apply(Txn<byte[]> transaction, KvBatch.Operation operation) {
    byte[] key = BUCKETS.engineKey(operation.key());
    byte[] value = operation.value();
    if (BUCKETS.isLong(operation.key())) {
      byte[] before = database.get(transaction, key);
      NavigableMap<byte[], byte[]> entries =
          before == null ? KeyBuckets.empty() : BUCKETS.read(key, before);
      if (value == null) {
        entries.remove(operation.key());
      } else {
        entries.put(operation.key(), value);
      }
      value = entries.isEmpty() ? null : BUCKETS.write(entries);
    }
    if (value == null) {
      database.delete(transaction, key);
    } else {
      database.put(transaction, key, value);
    }
  }

  private void reserve(long bytes) {
    while (usedBytes() + bytes > mapBytes()) {
      grow();
    }
  }

  private void grow() {
    gate.alone(
        () -> {
          readers.close();
          env.setMapSize(2 * env.info().mapSize);
        });
  }

  private long mapBytes() {
    return inside(() -> env.info().mapSize);
  }

  /** The highest page that was ever used. */
  private long usedBytes() {
    return inside(() -> (env.info().lastPageNumber + 1) * env.stat().pageSize);
  }

  @Override
  public StoreStats stats() {
    return inside(
        () -> {
          try (Txn<byte[]> transaction = env.txnRead()) {
            Stat stat = database.stat(transaction);
            long pages = stat.branchPages + stat.leafPages + stat.overflowPages;
            return new StoreStats(
                stat.entries, pages * stat.pageSize, Files.size(directory.resolve("data.mdb")));
          } catch (IOException | LmdbException e) {
            throw failed("tell its size", e);
          }
        });
  }

  private <T extends @Nullable Object> T inside(Supplier<T> action) {
    gate.enter();
    try {
      return action.get();
    } finally {
      gate.leave();
    }
  }

  /** Files stay mapped until the last snapshot is closed: unmapping would end its process. */
  @Override
  public void close() {
    synchronized (writer) {
      gate.close(
          () -> {
            try {
              readers.close();
            } finally {
              env.close();
              OPEN.remove(directory);
            }
          });
    }
  }

  StoreException failed(String what, Exception cause) {
    return cause instanceof Env.AlreadyClosedException
        ? new StoreClosedException(toString())
        : new StoreException("%s cannot %s: %s".formatted(this, what, reason(cause)), cause);
  }

  /** LMDB reports a full disk as an I/O error. */
  private String reason(Exception cause) {
    try {
      long free = Files.getFileStore(directory).getUsableSpace();
      return "%s; its disk has %d KiB free".formatted(cause.getMessage(), free >> 10);
    } catch (IOException e) {
      return String.valueOf(cause.getMessage());
    }
  }

  @Override
  public String toString() {
    return "LMDB store " + directory;
  }
}
