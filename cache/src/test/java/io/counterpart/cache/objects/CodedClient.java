package io.counterpart.cache.objects;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.cache.backend.ConnectionSettings;
import io.counterpart.cache.coded.CodedScheme;
import io.counterpart.cache.coded.CodedShard;
import io.counterpart.cache.coded.CodedStatus;
import io.counterpart.cache.coded.ServersLostTogetherException;
import io.counterpart.cache.coded.settings.CodedSettings;
import io.counterpart.cache.coding.CodeShape;
import io.counterpart.cache.coding.CodingLibrary;
import io.counterpart.cache.forward.OpenOperations;
import io.counterpart.cache.ownership.OwnershipSettings;
import io.counterpart.cache.protocol.Key;
import io.counterpart.cache.protocol.StoreMode;
import io.counterpart.cache.ring.KeyHash;
import io.counterpart.cache.ring.ServerId;
import io.counterpart.cache.store.PersistentStore;
import io.counterpart.cache.store.StoreLimits;
import io.counterpart.cache.store.StoreSettings;
import io.counterpart.cache.store.StoreStatistics;
import io.counterpart.cache.store.StoredTier;
import io.counterpart.cache.tier.DeleteCommand;
import io.counterpart.cache.tier.GetOptions;
import io.counterpart.cache.tier.GetOutcome;
import io.counterpart.cache.tier.ObjectTier;
import io.counterpart.cache.tier.Status;
import io.counterpart.cache.tier.StoreCommand;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.EventLoop;
import io.netty.channel.nio.NioEventLoopGroup;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/** A tier of one shard over real servers, with its own event loop. */
public final class CodedClient implements AutoCloseable {
  static final ConnectionSettings QUICK = answeringWithin(Duration.ofSeconds(2));
  private static final ConnectionSettings PATIENT = answeringWithin(Duration.ofSeconds(5));

  /** A full server that refuses its mark is used 1.25 leases later, and restored after that. */
  private static final Duration LATE = Duration.ofSeconds(100);

  private static final Duration ALL_WAIT = Duration.ofSeconds(20);

  private final NioEventLoopGroup loops = new NioEventLoopGroup(1);
  private final EventLoop loop = loops.next();
  private final CodedScheme scheme;
  private CodedSettings settings;
  private final PersistentStore store;
  private final CompletableFuture<Void> closing = new CompletableFuture<>();
  private volatile CodedShard shard;
  private volatile ObjectTier tier;

  /** Whether the tier has ended, since it lost too many servers at once, and is not open again. */
  private volatile boolean isReopening;

  private boolean hasCrashed;

  public CodedClient(CodeShape code, CodedServers servers, Path metadata, long journalBytes)
      throws Exception {
    this(settings(code, servers, metadata, journalBytes));
  }

  public CodedClient(CodedSettings settings) throws Exception {
    this(CodedScheme.ECHASH, settings);
  }

  /** A client of a tier with another scheme. */
  public CodedClient(CodedScheme scheme, CodedSettings settings) throws Exception {
    this(scheme, settings, null);
  }

  /** A client with a persistent store behind the servers; null for none. */
  public CodedClient(
      CodeShape code, CodedServers servers, Path metadata, long journalBytes, PersistentStore store)
      throws Exception {
    this(CodedScheme.ECHASH, settings(code, servers, metadata, journalBytes), store);
  }

  private CodedClient(CodedScheme scheme, CodedSettings settings, PersistentStore store)
      throws Exception {
    this.scheme = scheme;
    this.settings = store == null ? settings : settings.stored();
    this.store = store;
    open(this.settings);
  }

  /** Connections with short pauses to servers that may take so long to answer. */
  public static ConnectionSettings answeringWithin(Duration reply) {
    return new ConnectionSettings(
        Duration.ofSeconds(1), reply, Duration.ofMillis(10), Duration.ofMillis(100));
  }

  /** Settings of servers that answer late, as full ones do on a busy machine, and are not down. */
  static CodedSettings patientSettings(
      CodeShape code, CodedServers servers, Path metadata, long journalBytes) {
    return new CodedSettings(
        code, servers.ids(), metadata, journalBytes, Duration.ofSeconds(2), PATIENT);
  }

  /** Settings with short time-outs. */
  public static CodedSettings settings(
      CodeShape code, CodedServers servers, Path metadata, long journalBytes) {
    return new CodedSettings(
        code, servers.ids(), metadata, journalBytes, Duration.ofSeconds(2), QUICK);
  }

  /** The same, but a start waits longer for all servers, which may be late on a busy machine. */
  static CodedSettings awaitingAll(CodedSettings settings) {
    return new CodedSettings(
        settings.code(),
        settings.servers(),
        settings.metadata(),
        settings.journalBytes(),
        ALL_WAIT,
        settings.connections());
  }

  private void open(CodedSettings chosen) throws Exception {
    use(begin(chosen).get(LATE.toSeconds(), TimeUnit.SECONDS));
  }

  private CompletableFuture<CodedShard> begin(CodedSettings chosen) {
    return CodedShard.open(
        scheme, chosen, CodingLibrary.load(), loop, CodedClient::nowSeconds, closing);
  }

  private void use(CodedShard opened) throws Exception {
    OpenOperations operations = new OpenOperations();
    ObjectTier memory = new CodedObjectTier(opened, loop, CodedClient::nowSeconds);
    tier = operations.on(store == null ? memory : behind(memory));
    shard = opened;
    isReopening = false;
    opened
        .ended()
        .whenComplete(
            (nothing, why) -> {
              if (why instanceof ServersLostTogetherException) {
                isReopening = true;
                loop.execute(operations::end);
                openAgain();
              }
            });
  }

  /** Opens the tier again, as a proxy does. */
  private void openAgain() {
    begin(settings)
        .whenCompleteAsync(
            (next, failure) -> {
              if (failure == null) {
                try {
                  use(next);
                } catch (Exception e) {
                  throw new AssertionError("the tier is not open again", e);
                }
              } else if (!closing.isDone()) {
                openAgain();
              }
            });
  }

  private ObjectTier behind(ObjectTier memory) throws Exception {
    StoreSettings settings =
        new StoreSettings(
            StoreLimits.DEFAULT, 0, loop, () -> System.currentTimeMillis() * 1000, () -> true);
    return StoredTier.open(memory, store, settings, new StoreStatistics())
        .get(40, TimeUnit.SECONDS);
  }

  public static long nowSeconds() {
    return System.currentTimeMillis() / 1000;
  }

  public CodedSettings settings() {
    return settings;
  }

  /** The outcome of a read: a value, or the reason why there is none. */
  public record Got(Status status, byte[] value) {}

  public ObjectTier tier() {
    return tier;
  }

  public EventLoop loop() {
    return loop;
  }

  public CodedShard shard() {
    return shard;
  }

  public CompletableFuture<Status> set(String key, byte[] value) {
    return store(StoreMode.SET, key, value);
  }

  /** Sets a value with a time to live in seconds, up to a month. */
  public CompletableFuture<Status> setExpiring(String key, byte[] value, int seconds) {
    return call(
        done ->
            tier.store(
                new StoreCommand(
                    Key.of(key),
                    StoreMode.SET,
                    7,
                    seconds,
                    0,
                    false,
                    Unpooled.wrappedBuffer(value)),
                outcome -> done.complete(outcome.status())));
  }

  public CompletableFuture<Status> store(StoreMode mode, String key, byte[] value) {
    return call(
        done ->
            tier.store(
                new StoreCommand(Key.of(key), mode, 7, 0, 0, false, Unpooled.wrappedBuffer(value)),
                outcome -> done.complete(outcome.status())));
  }

  public CompletableFuture<Status> delete(String key) {
    return call(
        done ->
            tier.delete(DeleteCommand.of(Key.of(key)), outcome -> done.complete(outcome.status())));
  }

  public CompletableFuture<Got> get(String key) {
    return call(
        done ->
            tier.get(
                Key.of(key),
                GetOptions.PLAIN,
                outcome -> {
                  if (outcome instanceof GetOutcome.Found found) {
                    byte[] value = ByteBufUtil.getBytes(found.value());
                    found.value().release();
                    done.complete(new Got(Status.DONE, value));
                  } else {
                    done.complete(new Got(((GetOutcome.None) outcome).status(), new byte[0]));
                  }
                }));
  }

  /** The version of an object; 0 if there is none. */
  public CompletableFuture<Long> version(String key) {
    return call(
        done ->
            tier.get(
                Key.of(key),
                GetOptions.PLAIN,
                outcome -> {
                  if (outcome instanceof GetOutcome.Found found) {
                    found.value().release();
                    done.complete(found.item().cas());
                  } else {
                    done.complete(0L);
                  }
                }));
  }

  public void flushAll() {
    await(this.<Status>call(done -> tier.flushAll(0, outcome -> done.complete(outcome.status()))));
  }

  /** Folds all journals. */
  public void fold() {
    await(this.<Boolean>call(done -> shard.fold(() -> done.complete(true))));
  }

  public <T> CompletableFuture<T> call(Consumer<CompletableFuture<T>> body) {
    CompletableFuture<T> future = new CompletableFuture<>();
    loop.execute(
        () -> {
          try {
            body.accept(future);
          } catch (RuntimeException e) {
            future.completeExceptionally(e);
          }
        });
    return future;
  }

  public static <T> T await(CompletableFuture<T> future) {
    try {
      return future.get(40, TimeUnit.SECONDS);
    } catch (InterruptedException | ExecutionException | TimeoutException e) {
      throw new AssertionError("no answer", e);
    }
  }

  public List<String> usable() {
    return await(
        this.<List<String>>call(
            done ->
                done.complete(
                    isReopening
                        ? List.of()
                        : shard.usableServers().stream().map(server -> server.name()).toList())));
  }

  /** Blocks the event loop, as a long pause of the process does. */
  public void standStill(Duration time) {
    loop.execute(
        () -> {
          try {
            Thread.sleep(time.toMillis());
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });
  }

  /** As {@link #standStill(Duration)}, until the latch opens. */
  public void standStill(CountDownLatch wake) {
    loop.execute(
        () -> {
          try {
            wake.await(40, TimeUnit.SECONDS);
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });
  }

  public CodedStatus status() {
    return await(this.<CodedStatus>call(done -> done.complete(shard.status())));
  }

  /** Waits until no parity is missing for lack of memory. */
  public void awaitParity() {
    Awaitility.await("parity is there")
        .atMost(Duration.ofSeconds(40))
        .until(() -> status().stripesToRestore() == 0);
  }

  /** Waits until this many servers are used, and all of them have their items. */
  public void awaitRestored(int servers) {
    Awaitility.await("servers are restored")
        .atMost(LATE)
        .pollInterval(Duration.ofMillis(20))
        .untilAsserted(
            () -> {
              assertThat(usable()).as("servers in use").hasSize(servers);
              assertThat(toRestore()).as("servers to restore").isZero();
            });
  }

  /** Ring of a key. */
  public static int ring(String key, CodeShape code) {
    return (int) Long.remainderUnsigned(KeyHash.of(Key.of(key).bytes()), code.n());
  }

  /** The first key of a ring, among a prefix with numbers. */
  static String keyOfRing(String prefix, int ring, CodeShape code) {
    return Stream.iterate(0, i -> i + 1)
        .map(i -> prefix + i)
        .filter(key -> ring(key, code) == ring)
        .findFirst()
        .orElseThrow();
  }

  /** Number of losses of servers. */
  public long losses() {
    return status().servers().stream().mapToLong(CodedStatus.Server::losses).sum();
  }

  public boolean hasInRing(ServerId server) {
    return await(this.<Boolean>call(done -> done.complete(shard.servers().contains(server))));
  }

  public boolean isScaling() {
    return await(this.<Boolean>call(done -> done.complete(shard.isScaling())));
  }

  /** Changes the servers. */
  public CompletableFuture<Void> scale(Function<CodedShard, CompletableFuture<Void>> change) {
    return call(
        done ->
            change
                .apply(shard)
                .whenComplete(
                    (nothing, failure) -> {
                      if (failure == null) {
                        done.complete(null);
                      } else {
                        done.completeExceptionally(failure);
                      }
                    }));
  }

  /** Folds until journals hold nothing: a server that is late may have another one's entries. */
  public void foldAll() {
    Awaitility.await("journals are released")
        .atMost(Duration.ofSeconds(40))
        .until(
            () -> {
              fold();
              return status().journalBytes() == 0;
            });
  }

  /** The errors that the scrub finds. A server that was late for a restart is restored before. */
  public List<String> scrub() {
    if (hasCrashed) {
      Awaitility.await("all servers have their items")
          .atMost(LATE)
          .pollDelay(Duration.ZERO)
          .pollInterval(Duration.ofMillis(20))
          .until(() -> areUsed() && toRestore() == 0);
    }
    return await(this.<List<String>>call(done -> shard.scrub(done::complete)));
  }

  private boolean areUsed() {
    List<String> servers =
        await(
            this.<List<String>>call(
                done -> done.complete(shard.servers().stream().map(ServerId::name).toList())));
    return usable().containsAll(servers);
  }

  public int toRestore() {
    return await(this.<Integer>call(done -> done.complete(shard.serversToRestore())));
  }

  /**
   * Crashes like kill -9 at this moment, and reopens the tier: the disk stays as it is, and servers
   * execute the commands that have reached them. Requests under way are never answered.
   *
   * @param next directory for the metadata as they are now
   */
  public void crashAndReopen(Path next) throws Exception {
    crash(next);
    open(settings);
  }

  /**
   * Crashes like a loss of power, and reopens the tier: the metadata are those of the last sync,
   * and perhaps a part of what came after.
   */
  public void losePowerAndReopen(Path next, Random random) throws Exception {
    losePower(next, random);
    open(settings);
  }

  /** As {@link #losePowerAndReopen}, without reopening. */
  public void losePower(Path next, Random random) throws Exception {
    long durable = crash(next);
    PowerLoss.cut(next, durable, random);
  }

  public void reopen() throws Exception {
    open(settings);
  }

  /**
   * As {@link #crashAndReopen}, without reopening. Returns the position up to which metadata are
   * durable.
   */
  public long crash(Path next) throws Exception {
    // the same machine and directory, as far as owners are concerned
    long site = settings.ownership().siteOf(settings.metadata());
    long durable =
        await(
            this.<Long>call(
                done -> {
                  copy(settings.metadata(), next);
                  done.complete(shard.durableMetadata());
                  shard.close();
                }));
    settings =
        new CodedSettings(
            settings.code(),
            settings.servers(),
            next,
            settings.journalBytes(),
            settings.startWait(),
            settings.connections(),
            settings.syncPause(),
            new OwnershipSettings(false, site),
            settings.eviction(),
            settings.isStored(),
            settings.shards());
    hasCrashed = true;
    return durable;
  }

  public static void copy(Path from, Path to) {
    try (Stream<Path> files = Files.list(from)) {
      Files.createDirectories(to);
      for (Path file : files.sorted().toList()) {
        if (!file.toString().endsWith(".map")) {
          Files.copy(file, to.resolve(file.getFileName()));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    closing.complete(null);
    await(
        this.<Boolean>call(
            done -> {
              shard.close();
              done.complete(true);
            }));
    loops.shutdownGracefully(0, 5, TimeUnit.SECONDS).syncUninterruptibly();
  }
}
