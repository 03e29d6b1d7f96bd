package io.counterpart.engine.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.counterpart.engine.StoreException;
import java.util.List;
import java.util.OptionalInt;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Connection;
import redis.clients.jedis.Protocol;

/**
 * The databases of a server's keyspaces: a hash in database 0, from a keyspace's name to its
 * number. A keyspace keeps its number when it is dropped.
 */
final class KeyspaceNumbers {
  private static final byte[] KEY = "counterpart:keyspaces".getBytes(US_ASCII);

  /** The number of a keyspace, or the lowest free one below ARGV[2]; 0 if there is none. */
  private static final Script TAKE =
      new Script(
          """
          local number = redis.call('HGET', KEYS[1], ARGV[1])
          if number then
            return tonumber(number)
          end
          local taken = {}
          for _, other in ipairs(redis.call('HVALS', KEYS[1])) do
            taken[tonumber(other)] = true
          end
          for free = 1, tonumber(ARGV[2]) - 1 do
            if not taken[free] then
              redis.call('HSET', KEYS[1], ARGV[1], free)
              return free
            end
          end
          return 0
          """);

  private KeyspaceNumbers() {}

  /**
   * The database of a keyspace, given to it now if it has none.
   *
   * @param connection to database 0
   * @throws StoreException if all are taken
   */
  static int take(Connection connection, String server, String keyspace) {
    int databases = ServerSettings.databases(connection);
    long number =
        TAKE.number(
            connection,
            List.of(KEY),
            List.of(keyspace.getBytes(UTF_8), Integer.toString(databases).getBytes(US_ASCII)));
    if (number == 0) {
      throw new StoreException(
          ("%s has no database left for keyspace %s: its setting databases is %d, and database 0"
                  + " is taken, too")
              .formatted(server, keyspace, databases));
    }
    return Math.toIntExact(number);
  }

  /** The database of a keyspace, if it has one. */
  static OptionalInt find(Connection connection, String keyspace) {
    byte[] number =
        (byte[])
            connection.executeCommand(
                new CommandArguments(Protocol.Command.HGET).add(KEY).add(keyspace.getBytes(UTF_8)));
    return number == null
        ? OptionalInt.empty()
        : OptionalInt.of(Integer.parseInt(new String(number, US_ASCII)));
  }
}
