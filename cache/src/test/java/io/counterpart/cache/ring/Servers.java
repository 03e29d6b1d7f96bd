package io.counterpart.cache.ring;

import java.util.ArrayList;
import java.util.List;

/** Servers by number, for tests. */
final class Servers {
  private Servers() {}

  static ServerId server(int number) {
    return new ServerId("127.0.0.1:" + (11_211 + number));
  }

  static List<ServerId> servers(int from, int count) {
    List<ServerId> servers = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      servers.add(server(from + i));
    }
    return servers;
  }
}
