package io.counterpart.engine.memory;

import io.counterpart.engine.DurableFiles;
import io.counterpart.engine.KvEngine;
import io.counterpart.engine.KvStore;
import io.counterpart.engine.StoreException;
import io.counterpart.engine.StorePlace;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;

/** Stores in the JVM's memory alone, which end with the process. Thread-safe. */
final class VolatileEngine implements KvEngine {
  private final long mostBytes;
  private final AtomicLong takenBytes = new AtomicLong();

  /**
   * @param mostBytes of all stores together
   */
  VolatileEngine(long mostBytes) {
    this.mostBytes = mostBytes;
  }

  @Override
  public boolean isVolatile() {
    return true;
  }

  /** Else its stores would be taken for those of the engine of this name with LMDB behind. */
  @Override
  public String location() {
    return "volatile";
  }

  /** An empty store, whatever there was: the directory only tells that there is one. */
  @Override
  public KvStore open(StorePlace place) {
    try {
      DurableFiles.createDirectories(place.directory());
    } catch (IOException e) {
      throw new StoreException("cannot create " + place.directory(), e);
    }
    return new VolatileStore(place.directory().toString(), takenBytes, mostBytes);
  }
}
