package io.counterpart.engine.sql;

import io.counterpart.engine.KvEngine;
import io.counterpart.engine.KvStoreProvider;
import java.util.Map;

/** The engine {@code sql}. Its options are those of {@link SqlOptions}. */
public final class SqlProvider implements KvStoreProvider {

  @Override
  public String name() {
    return "sql";
  }

  @Override
  public KvEngine engine(Map<String, String> options) {
    return new SqlEngine(SqlOptions.take(options));
  }
}
