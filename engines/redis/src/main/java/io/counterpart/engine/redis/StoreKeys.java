package io.counterpart.engine.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.List;

/**
 * The keys of one store on its server.
 *
 * @param order of the sorted set
 * @param values of the hash
 */
record StoreKeys(byte[] order, byte[] values) {

  static StoreKeys of(String table, String id) {
    String prefix = table + "_" + id;
    return new StoreKeys((prefix + ":order").getBytes(UTF_8), (prefix + ":values").getBytes(UTF_8));
  }

  List<byte[]> both() {
    return List.of(order, values);
  }
}
