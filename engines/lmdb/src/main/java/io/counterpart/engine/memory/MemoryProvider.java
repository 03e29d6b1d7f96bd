package io.counterpart.engine.memory;

import io.counterpart.engine.KvEngine;
import io.counterpart.engine.KvStoreProvider;
import io.counterpart.engine.lmdb.LmdbProvider;
import java.util.Map;

/**
 * The engine {@code memory}: entries in the JVM's memory before LMDB. What does not fit is in LMDB
 * alone, so nothing is lost, also not in a restart.
 *
 * <p>Option {@code memory}: bytes for all tables of the configuration together, as {@code 256MiB};
 * a quarter of the heap if it is not given.
 */
public final class MemoryProvider implements KvStoreProvider {
  private static final String MEMORY = "memory";

  @Override
  public String name() {
    return "memory";
  }

  @Override
  public KvEngine engine(Map<String, String> options) {
    long heap = Runtime.getRuntime().maxMemory();
    MemorySize size = MemorySize.of(MEMORY, options.remove(MEMORY), heap);
    return new MemoryEngine(new LmdbProvider().engine(Map.of()), new ResidentEntries(size.bytes()));
  }
}
