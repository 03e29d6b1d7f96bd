package io.counterpart.cache.coded.settings;

import io.counterpart.cache.backend.ConnectionSettings;
import io.counterpart.cache.coding.CodeShape;
import io.counterpart.cache.metadata.Topology;
import io.counterpart.cache.ownership.OwnershipSettings;
import io.counterpart.cache.ring.Rings;
import io.counterpart.cache.ring.ServerId;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a shard of coded objects.
 *
 * @param code the shape of a stripe
 * @param servers servers of a new shard, named as their addresses, {@code host:port}; at least n.
 *     An existing shard knows its own
 * @param metadata directory of the shard's metadata log
 * @param journalBytes bytes of journals on servers, all copies, above which they are folded
 * @param startWait time to wait for further servers at the start, once enough are connected to read
 *     every object
 * @param syncPause least time between the beginnings of two syncs of the metadata, while anything
 *     waits for one
 * @param ownership treatment of servers that carry a foreign mark
 * @param eviction what may leave when servers are full; null if nothing may: then new objects are
 *     refused
 * @param isStored whether a store behind the tier has every object: then a tier that is lost serves
 *     from there, and need not wait for its servers
 * @param shards number of shards that share the heap of this process, 1 and above
 */
public record CodedSettings(
    CodeShape code,
    List<ServerId> servers,
    Path metadata,
    long journalBytes,
    Duration startWait,
    ConnectionSettings connections,
    Duration syncPause,
    OwnershipSettings ownership,
    @Nullable EvictionRule eviction,
    boolean isStored,
    int shards) {
  private static final int VIRTUAL_NODES = 128;
  private static final long RING_SEED = 0;

  /** More lists in a topology are of the scheme ccmemcached, which earlier versions had. */
  private static final int MAX_RINGS = 64;

  private static final Duration SYNC_PAUSE = Duration.ofMillis(1);
  private static final long MIN_JOURNAL_BYTES = 64 << 10;
  private static final Duration TAKEOVER_WAIT = Duration.ofMillis(2300);
  private static final ConnectionSettings TAKEOVER_CONNECTIONS =
      new ConnectionSettings(
          Duration.ofSeconds(1),
          Duration.ofMillis(500),
          Duration.ofMillis(50),
          Duration.ofSeconds(1));

  public CodedSettings {
    if (servers.size() < code.n()) {
      throw new IllegalArgumentException(
          "%d servers for code %s, legal: %d and above".formatted(servers.size(), code, code.n()));
    }
    if (journalBytes < MIN_JOURNAL_BYTES) {
      throw new IllegalArgumentException(
          "journals of " + journalBytes + " bytes, legal: " + MIN_JOURNAL_BYTES + " and above");
    }
    servers = List.copyOf(servers);
  }

  /** Nothing may leave, and servers that carry a foreign mark are refused. */
  public CodedSettings(
      CodeShape code,
      List<ServerId> servers,
      Path metadata,
      long journalBytes,
      Duration startWait,
      ConnectionSettings connections) {
    this(
        code,
        servers,
        metadata,
        journalBytes,
        startWait,
        connections,
        SYNC_PAUSE,
        OwnershipSettings.DEFAULT,
        null,
        false,
        1);
  }

  /** Default settings: journals of 48 MiB, and a wait of 3 seconds for servers. */
  public static CodedSettings of(CodeShape code, List<ServerId> servers, Path metadata) {
    return new CodedSettings(
        code, servers, metadata, 48 << 20, Duration.ofSeconds(3), ConnectionSettings.DEFAULT);
  }

  /** The same with other ownership settings. */
  public CodedSettings with(OwnershipSettings other) {
    return with(syncPause, other, eviction, isStored);
  }

  /** The same, but objects that nobody uses, and that may leave, do so when servers are full. */
  public CodedSettings evicting(EvictionRule rule) {
    return with(syncPause, ownership, rule, isStored);
  }

  /** The same with another pause between syncs of the metadata. */
  public CodedSettings with(Duration otherSyncPause) {
    return with(otherSyncPause, ownership, eviction, isStored);
  }

  /** The same with a store behind the tier. */
  public CodedSettings stored() {
    return with(syncPause, ownership, eviction, true);
  }

  /**
   * The same with shorter waits, so that another machine takes over within seconds: it waits for
   * leases of three reply time-outs.
   */
  public CodedSettings takingOver() {
    return new CodedSettings(
        code,
        servers,
        metadata,
        journalBytes,
        TAKEOVER_WAIT,
        TAKEOVER_CONNECTIONS,
        syncPause,
        ownership,
        eviction,
        isStored,
        shards);
  }

  /** The same as one of several shards in this process: journals and caches have a part each. */
  public CodedSettings among(int number) {
    return new CodedSettings(
        code,
        servers,
        metadata,
        journalBytes / number,
        startWait,
        connections,
        syncPause,
        ownership,
        eviction,
        isStored,
        number);
  }

  private CodedSettings with(
      Duration otherSyncPause,
      OwnershipSettings otherOwnership,
      @Nullable EvictionRule otherEviction,
      boolean isOtherStored) {
    return new CodedSettings(
        code,
        servers,
        metadata,
        journalBytes,
        startWait,
        connections,
        otherSyncPause,
        otherOwnership,
        otherEviction,
        isOtherStored,
        shards);
  }

  /** Most journal bytes on one server. */
  public long mostJournalBytesOfServer() {
    return journalBytes / logCopies(code);
  }

  /** The servers of a new shard, in n rings. */
  public ServerMap newServers() {
    return new ServersInRings(code, Rings.of(code.n(), servers, VIRTUAL_NODES, RING_SEED));
  }

  /**
   * The servers of an existing shard.
   *
   * @throws IllegalArgumentException if it has another code, or its servers are not in n rings
   */
  public ServerMap servers(Topology topology) {
    int n = topology.servers().size();
    if (n > MAX_RINGS) {
      throw new IllegalArgumentException(
          "scheme ccmemcached of the metadata in %s, legal: echash".formatted(metadata));
    }
    if (n != code.n()) {
      throw new IllegalArgumentException(
          "code %s, legal with the metadata in %s: (%d,%d)".formatted(code, metadata, n, code.k()));
    }
    return new ServersInRings(
        code, Rings.restore(topology.version(), topology.servers(), VIRTUAL_NODES, RING_SEED));
  }

  /** Number of copies of each journal entry: one more than rings that may be lost. */
  public static int logCopies(CodeShape code) {
    return code.parityCount() + 1;
  }
}
