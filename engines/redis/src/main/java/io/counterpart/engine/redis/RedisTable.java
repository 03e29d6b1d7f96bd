package io.counterpart.engine.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.counterpart.engine.KvBatch;
import io.counterpart.engine.KvRange;
import io.counterpart.engine.StoreException;
import io.counterpart.engine.StoreStats;
import io.counterpart.engine.server.ServerTable;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Connection;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.exceptions.JedisException;

/**
 * The entries of one store: {@link TableScripts} has their format. Every call is one round trip,
 * but {@link #getAll} of very many keys.
 */
final class RedisTable implements ServerTable {
  /** A page of large values is shorter, so that it fits into memory and into the time-out. */
  private static final int PAGE_BYTES = 1 << 20;

  private static final int KEYS_AT_ONCE = 1000;

  private final OpenStore store;
  private final boolean isPatient;

  RedisTable(OpenStore store) {
    this(store, false);
  }

  private RedisTable(OpenStore store, boolean isPatient) {
    this.store = store;
    this.isPatient = isPatient;
  }

  @Override
  public ServerTable patient() {
    return new RedisTable(store, true);
  }

  private <T extends @Nullable Object> T read(Function<Connection, T> call) {
    return isPatient
        ? store.outlast(() -> store.database().call(call))
        : told(() -> store.database().read(call));
  }

  /** For who is no reader, and does not wait for the server either. */
  private <T extends @Nullable Object> T ask(Function<Connection, T> call) {
    return told(() -> store.database().ask(call));
  }

  private <T extends @Nullable Object> T told(Supplier<T> call) {
    try {
      return call.get();
    } catch (JedisException e) {
      throw RedisFailures.failed(store.name(), e);
    }
  }

  @Override
  public byte @Nullable [] get(byte[] key) {
    return values(List.of(key)).get(0);
  }

  @Override
  public List<byte @Nullable []> getAll(List<byte[]> keys) {
    List<byte @Nullable []> all = new ArrayList<>(keys.size());
    for (int from = 0; from < keys.size(); from += KEYS_AT_ONCE) {
      all.addAll(values(keys.subList(from, Math.min(keys.size(), from + KEYS_AT_ONCE))));
    }
    return all;
  }

  private List<byte @Nullable []> values(List<byte[]> keys) {
    CommandArguments get = numberAnd(keys);
    long least = store.acknowledged();
    List<?> found = present(read(connection -> connection.executeCommand(get)), least);
    List<byte @Nullable []> values = new ArrayList<>(keys.size());
    for (Object value : found) {
      values.add((byte[]) value);
    }
    return values;
  }

  private CommandArguments numberAnd(List<byte[]> keys) {
    CommandArguments get =
        new CommandArguments(Protocol.Command.HMGET)
            .add(store.keys().values())
            .add(TableScripts.NUMBER);
    keys.forEach(get::add);
    return get;
  }

  /**
   * The values behind the number, which a store has. With a lower one than was acknowledged before,
   * the server has lost writes.
   */
  private List<?> present(Object answer, long least) {
    List<?> found = (List<?>) answer;
    byte[] number = (byte[]) found.get(0);
    if (number == null || Long.parseLong(new String(number, US_ASCII)) < least) {
      throw store.lost();
    }
    return found.subList(1, found.size());
  }

  @Override
  public Page page(KvRange range, int most) {
    byte[] low = bound('[', range.from(), '-');
    byte[] high = bound('(', range.to(), '+');
    List<byte[]> arguments =
        List.of(
            ascii(range.isReversed() ? "ZREVRANGEBYLEX" : "ZRANGEBYLEX"),
            range.isReversed() ? high : low,
            range.isReversed() ? low : high,
            ascii(Integer.toString(most)),
            ascii(Integer.toString(PAGE_BYTES)),
            ascii(Long.toString(store.acknowledged())));
    List<?> answer =
        (List<?>)
            read(connection -> TableScripts.PAGE.run(connection, store.keys().both(), arguments));
    if (answer == null) {
      throw store.lost();
    }
    List<Entry> entries = new ArrayList<>(answer.size() / 2);
    for (int i = 1; i < answer.size(); i += 2) {
      entries.add(new Entry((byte[]) answer.get(i), (byte[]) answer.get(i + 1)));
    }
    return new Page(entries, ((byte[]) answer.get(0))[0] == '1');
  }

  private static byte[] bound(char kind, byte @Nullable [] key, char none) {
    if (key == null) {
      return new byte[] {(byte) none};
    }
    byte[] bound = new byte[key.length + 1];
    bound[0] = (byte) kind;
    System.arraycopy(key, 0, bound, 1, key.length);
    return bound;
  }

  private static byte[] ascii(String text) {
    return text.getBytes(US_ASCII);
  }

  @Override
  public void write(KvBatch batch) {
    WriteArguments arguments = WriteArguments.of(batch);
    long result =
        store.outlast(
            () ->
                store
                    .database()
                    .call(connection -> written(connection, arguments, store.nextNumber())));
    if (result == TableScripts.LOST) {
      throw store.lost();
    }
    if (result == TableScripts.STALE) {
      throw new StoreException(store.name() + ": another process has opened the store");
    }
  }

  private long written(Connection connection, WriteArguments arguments, long number) {
    long result =
        TableScripts.WRITE.number(
            connection, store.keys().both(), arguments.numbered(number, store.acknowledged()));
    if (result == TableScripts.WRITTEN) {
      store.acknowledge(number);
    }
    return result;
  }

  /** A batch of nothing takes a number, and what has a lower one is refused from then on. */
  @Override
  public void settle() {
    write(new KvBatch().shrinking());
  }

  @Override
  public void check() {
    CommandArguments get = numberAnd(List.of());
    long least = store.acknowledged();
    present(ask(connection -> connection.executeCommand(get)), least);
  }

  @Override
  public StoreStats stats() {
    return ask(
        connection -> {
          CommandArguments count =
              new CommandArguments(Protocol.Command.ZCARD).add(store.keys().order());
          long entries = (Long) connection.executeCommand(count);
          long bytes = memoryBytes(connection, store.keys().order());
          bytes += memoryBytes(connection, store.keys().values());
          // all of it is in memory
          return new StoreStats(entries, bytes, bytes, 1);
        });
  }

  /** As the server estimates it from a few samples; 0 if there is no such key. */
  private static long memoryBytes(Connection connection, byte[] key) {
    Object bytes =
        connection.executeCommand(
            new CommandArguments(Protocol.Command.MEMORY).add("USAGE").add(key));
    return bytes == null ? 0 : (Long) bytes;
  }

  @Override
  public void close() {
    store.close();
  }
}
