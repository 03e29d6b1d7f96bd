package io.counterpart.engine.redis;

import io.counterpart.engine.ReaderPermits;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The databases of one server that stores use, each opened once. Thread-safe. */
final class SharedDatabases {
  private final RedisOptions options;
  private final ReaderGate gate;
  private ReaderPermits readers;
  private final Map<Integer, Shared> open = new HashMap<>();

  SharedDatabases(RedisOptions options) {
    this.options = options;
    this.readers = new ReaderPermits(options.toString(), options.connections());
    this.gate =
        new ReaderGate(
            options.toString(),
            TimeUnit.MILLISECONDS.toNanos(3L * options.timeoutMillis()),
            System::nanoTime);
  }

  private static final class Shared {
    private final Database database;
    private int users;

    Shared(Database database) {
      this.database = database;
    }
  }

  /** A user's hold on a database, which is closed with the last one. To be closed once. */
  final class Lease implements AutoCloseable {
    private final int number;
    private final Database database;

    private Lease(int number, Database database) {
      this.number = number;
      this.database = database;
    }

    Database database() {
      return database;
    }

    @Override
    public void close() {
      leave(number);
    }
  }

  /** Of databases that are opened from now on. */
  synchronized void limitReaders(ReaderPermits permits) {
    readers = permits;
  }

  /** Touches no network. */
  synchronized Lease enter(int number) {
    Shared shared =
        open.computeIfAbsent(
            number, absent -> new Shared(new Database(options, number, gate, readers)));
    shared.users++;
    return new Lease(number, shared.database);
  }

  private synchronized void leave(int number) {
    Shared shared = open.get(number);
    if (shared != null && --shared.users == 0) {
      open.remove(number);
      shared.database.close();
    }
  }

  synchronized int size() {
    return open.size();
  }
}
