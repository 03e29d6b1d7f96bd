package io.counterpart.engine.redis;

import io.counterpart.engine.StoreException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Connection;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.exceptions.JedisDataException;

/** The settings of a server that decide whether it keeps what it acknowledged. */
final class ServerSettings {
  private static final Map<String, String> NEEDED = new LinkedHashMap<>();

  static {
    NEEDED.put("appendonly", "yes");
    NEEDED.put("appendfsync", "always");
    // else no sync while the file is rewritten, or a snapshot taken
    NEEDED.put("no-appendfsync-on-rewrite", "no");
    NEEDED.put("maxmemory-policy", "noeviction");
  }

  private static final int USUAL_DATABASES = 16;

  private ServerSettings() {}

  /**
   * @param server for messages
   * @throws StoreException naming the setting, its value and what is needed
   */
  static void requireDurable(Connection connection, String server) {
    NEEDED.forEach(
        (setting, needed) -> {
          String value = value(connection, server, setting);
          if (!value.equals(needed)) {
            throw new StoreException(
                ("%s has %s '%s', needed: '%s', since a store must keep what it has acknowledged"
                        + " (option durable: false does without)")
                    .formatted(server, setting, value, needed));
          }
        });
  }

  /** How many databases the server has; the usual number if it does not tell. */
  static int databases(Connection connection) {
    try {
      String value = get(connection, "databases");
      return value.isEmpty() ? USUAL_DATABASES : Integer.parseInt(value);
    } catch (JedisDataException refused) {
      return USUAL_DATABASES;
    }
  }

  private static String value(Connection connection, String server, String setting) {
    try {
      return get(connection, setting);
    } catch (JedisDataException e) {
      if (RedisFailures.isPassing(e)) {
        throw e;
      }
      throw new StoreException(
          "%s does not tell its setting %s, needed: CONFIG GET (option durable: false does without)"
              .formatted(server, setting),
          e);
    }
  }

  /** Empty if the server does not know the setting. */
  private static String get(Connection connection, String setting) {
    Object answer =
        connection.executeCommand(
            new CommandArguments(Protocol.Command.CONFIG).add("GET").add(setting));
    return answer instanceof List<?> pair && pair.size() == 2
        ? new String((byte[]) pair.get(1), java.nio.charset.StandardCharsets.UTF_8)
        : "";
  }
}
