package io.counterpart.cassandra.engine.store.files;

import io.counterpart.engine.DurableFiles;
import io.counterpart.engine.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A file beside a volatile store that says that the store has had data. If the file is there when
 * the store is opened, the data is lost. The file goes with the store's directory, when the data is
 * in sstables. A store of a durable engine has none. Thread-safe.
 */
public final class VolatileMark {
  private static final String FILE = "has-data";

  private final Path file;
  private final boolean isNeeded;
  private final boolean lost;
  private volatile boolean isThere;

  public VolatileMark(Path directory, boolean isNeeded) {
    this.file = directory.resolve(FILE);
    this.isNeeded = isNeeded;
    this.lost = isNeeded && Files.exists(file);
    this.isThere = lost;
  }

  /** Called before data reaches the store, by several threads at once. */
  public void set() {
    if (isNeeded && !isThere) {
      write();
    }
  }

  private synchronized void write() {
    if (isThere) {
      return;
    }
    try {
      DurableFiles.write(file, "");
      isThere = true;
    } catch (IOException e) {
      throw new StoreException("cannot write " + file, e);
    }
  }

  /** Whether the store has lost its data. */
  public boolean isLost() {
    return lost;
  }
}
