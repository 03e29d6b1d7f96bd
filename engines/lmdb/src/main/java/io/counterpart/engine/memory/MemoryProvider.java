package io.counterpart.engine.memory;

import io.counterpart.engine.KvEngine;
import io.counterpart.engine.KvStoreProvider;
import io.counterpart.engine.lmdb.LmdbProvider;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The engine {@code memory}: entries in the JVM's memory before LMDB. What does not fit is in LMDB
 * alone, so nothing is lost, also not in a restart.
 *
 * <p>Option {@code memory}: bytes for all tables of the configuration together, as {@code 256MiB};
 * a quarter of the heap if it is not given. Option {@code volatile}: {@code true} for memory alone,
 * without LMDB; default {@code false}.
 */
public final class MemoryProvider implements KvStoreProvider {
  private static final String MEMORY = "memory";
  private static final String VOLATILE = "volatile";

  @Override
  public String name() {
    return "memory";
  }

  @Override
  public KvEngine engine(Map<String, String> options) {
    long heap = Runtime.getRuntime().maxMemory();
    MemorySize size = MemorySize.of(MEMORY, options.remove(MEMORY), heap);
    return isVolatile(options.remove(VOLATILE))
        ? new VolatileEngine(size.bytes())
        : new MemoryEngine(new LmdbProvider().engine(Map.of()), new ResidentEntries(size.bytes()));
  }

  private static boolean isVolatile(@Nullable String given) {
    if (given == null || given.equals("false")) {
      return false;
    }
    if (!given.equals("true")) {
      throw new IllegalArgumentException(
          "'%s' is '%s', neither true nor false".formatted(VOLATILE, given));
    }
    return true;
  }
}
