package io.counterpart.engine.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.counterpart.engine.DurableFiles;
import io.counterpart.engine.KvEngine;
import io.counterpart.engine.KvStore;
import io.counterpart.engine.ReaderPermits;
import io.counterpart.engine.StoreAwayException;
import io.counterpart.engine.StoreException;
import io.counterpart.engine.StorePlace;
import io.counterpart.engine.server.ServerStore;
import io.counterpart.engine.server.StoreId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Connection;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.exceptions.JedisException;

/**
 * Opens and drops stores on one server. A directory has the store's name there, and a mark once the
 * server has the store, so that a server that has lost it is told from a new store. Thread-safe.
 */
final class RedisEngine implements KvEngine {
  private static final String MARK = "on-server";

  private final RedisOptions options;
  private final SharedDatabases databases;
  private volatile Patience patience;

  RedisEngine(RedisOptions options) {
    this.options = options;
    this.databases = new SharedDatabases(options);
    this.patience = new Patience(options.retryMillis(), () -> true);
  }

  @Override
  public void waitWhile(BooleanSupplier mayWait) {
    patience = new Patience(options.retryMillis(), mayWait);
  }

  @Override
  public void limitReaders(ReaderPermits permits) {
    databases.limitReaders(permits);
  }

  /** The server. */
  @Override
  public String location() {
    return options.toString();
  }

  @Override
  public boolean isOnServer() {
    return true;
  }

  @Override
  public KvStore open(StorePlace place) {
    StoreKeys keys = StoreKeys.of(place.table(), StoreId.of(place.directory()));
    String name = "store %s.%s on %s".formatted(place.keyspace(), place.table(), options);
    int number = inDatabase(0, name, connection -> prepared(connection, place.keyspace()));
    SharedDatabases.Lease lease = databases.enter(number);
    try {
      long taken = takeNumber(lease.database(), name, keys, place.directory());
      OpenStore store = new OpenStore(name, place.directory(), keys, lease, patience, taken);
      if (options.isDurable()) {
        store.requireAll();
      } else {
        NumberFile.delete(place.directory());
      }
      return new ServerStore(name, new RedisTable(store));
    } catch (RuntimeException | Error e) {
      lease.close();
      throw e;
    }
  }

  @Override
  public void check() {
    inDatabase(
        0,
        options.toString(),
        connection -> connection.executeCommand(new CommandArguments(Protocol.Command.PING)));
  }

  /** The keyspace's database, on a server that is as it must be. */
  private int prepared(Connection connection, String keyspace) {
    if (options.isDurable()) {
      ServerSettings.requireDurable(connection, options.toString());
    }
    return KeyspaceNumbers.take(connection, options.toString(), keyspace);
  }

  private long takeNumber(Database database, String name, StoreKeys keys, Path directory) {
    Path mark = directory.resolve(MARK);
    boolean isMarked = Files.exists(mark);
    long least = options.isDurable() ? NumberFile.read(directory) : 0;
    // marks were not synced at first, and a loss of power may have taken one
    byte[] mustBeThere = {(byte) (isMarked || least > 0 ? '1' : '0')};
    long taken = called(database, name, connection -> taken(connection, keys, mustBeThere, least));
    if (taken == TableScripts.LOST) {
      throw OpenStore.lost(name, directory);
    }
    if (taken == TableScripts.CHANGED) {
      throw new StoreAwayException(name + ": it is being opened a second time just now");
    }
    if (!isMarked) {
      try {
        DurableFiles.write(mark, options + "\n");
      } catch (IOException e) {
        throw new StoreException("cannot write " + mark, e);
      }
    }
    return taken;
  }

  private static long taken(Connection connection, StoreKeys keys, byte[] mustBeThere, long least) {
    byte[] before =
        (byte[])
            connection.executeCommand(
                new CommandArguments(Protocol.Command.HGET)
                    .add(keys.values())
                    .add(TableScripts.NUMBER));
    return TableScripts.OPEN.number(
        connection,
        keys.both(),
        List.of(
            mustBeThere,
            before == null ? TableScripts.NUMBER : before,
            Long.toString(least).getBytes(US_ASCII)));
  }

  @Override
  public void drop(StorePlace place) {
    StoreId.find(place.directory()).ifPresent(id -> unlink(place, id));
    KvEngine.deleteFiles(place.directory());
  }

  private void unlink(StorePlace place, String id) {
    String name = "store %s.%s on %s".formatted(place.keyspace(), place.table(), options);
    OptionalInt number =
        inDatabase(0, name, connection -> KeyspaceNumbers.find(connection, place.keyspace()));
    if (number.isEmpty()) {
      return;
    }
    StoreKeys keys = StoreKeys.of(place.table(), id);
    inDatabase(
        number.getAsInt(),
        name,
        connection ->
            connection.executeCommand(
                new CommandArguments(Protocol.Command.UNLINK)
                    .add(keys.order())
                    .add(keys.values())));
  }

  private <T> T inDatabase(int number, String name, Function<Connection, T> call) {
    try (SharedDatabases.Lease lease = databases.enter(number)) {
      return called(lease.database(), name, call);
    }
  }

  private static <T> T called(Database database, String name, Function<Connection, T> call) {
    try {
      return database.call(call);
    } catch (JedisException e) {
      throw RedisFailures.failed(name, e);
    }
  }

  /** Databases with open stores. */
  int openDatabases() {
    return databases.size();
  }
}
