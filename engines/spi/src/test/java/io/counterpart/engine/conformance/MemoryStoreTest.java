package io.counterpart.engine.conformance;

import io.counterpart.engine.KvStore;
import io.counterpart.engine.KvStoreProvider;
import java.nio.file.Path;

/** The reference passes the suite. */
class MemoryStoreTest extends KvStoreConformance {
  @Override
  protected KvStoreProvider engine() {
    return new KvStoreProvider() {
      @Override
      public String name() {
        return "memory";
      }

      @Override
      public KvStore open(Path directory) {
        return new MemoryStore();
      }
    };
  }
}
