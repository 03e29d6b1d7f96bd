package io.counterpart.engine.redis;

import io.counterpart.engine.KvEngine;
import io.counterpart.engine.KvStoreProvider;
import java.util.Map;

/** The engine {@code redis}. */
public final class RedisProvider implements KvStoreProvider {

  @Override
  public String name() {
    return "redis";
  }

  @Override
  public KvEngine engine(Map<String, String> options) {
    return new RedisEngine(RedisOptions.take(options));
  }
}
