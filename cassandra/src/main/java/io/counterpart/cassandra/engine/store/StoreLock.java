package io.counterpart.cassandra.engine.store;

import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** Excludes those who write to a table's stores from those who change which there are. */
final class StoreLock {
  private final ReadWriteLock lock = new ReentrantReadWriteLock();

  /** What is held until it is closed. */
  interface Held extends AutoCloseable {
    @Override
    void close();
  }

  /** Beside others who write. */
  Held writing() {
    return held(lock.readLock());
  }

  /** Alone. */
  Held changing() {
    return held(lock.writeLock());
  }

  private static Held held(Lock lock) {
    lock.lock();
    return lock::unlock;
  }
}
