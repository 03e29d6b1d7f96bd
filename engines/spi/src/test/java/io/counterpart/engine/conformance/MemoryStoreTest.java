package io.counterpart.engine.conformance;

import io.counterpart.engine.KvEngine;
import io.counterpart.engine.KvStoreProvider;
import java.util.Map;

/** The reference passes the suite. */
class MemoryStoreTest extends KvStoreConformance {
  @Override
  protected KvStoreProvider provider() {
    return new KvStoreProvider() {
      @Override
      public String name() {
        return "reference";
      }

      @Override
      public KvEngine engine(Map<String, String> options) {
        return place -> new MemoryStore();
      }
    };
  }
}
