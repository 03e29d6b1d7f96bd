package io.counterpart.engine.memory;

import io.counterpart.engine.KvEngine;
import io.counterpart.engine.KvStore;
import io.counterpart.engine.StorePlace;

/** Stores of another engine, with entries of all of them in one memory. Thread-safe. */
final class MemoryEngine implements KvEngine {
  private final KvEngine durable;
  private final ResidentEntries entries;

  MemoryEngine(KvEngine durable, ResidentEntries entries) {
    this.durable = durable;
    this.entries = entries;
  }

  @Override
  public KvStore open(StorePlace place) {
    return new ResidentStore(durable.open(place), entries.share());
  }

  @Override
  public void drop(StorePlace place) {
    durable.drop(place);
  }
}
