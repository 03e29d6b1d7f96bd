package io.counterpart.cassandra.ring;

import io.counterpart.core.ring.RingTransition;
import io.counterpart.core.ring.RingView;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Supplier;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.SystemKeyspace;
import org.apache.cassandra.dht.LocalPartitioner;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.locator.AbstractReplicationStrategy;
import org.apache.cassandra.locator.IEndpointSnitch;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.locator.Replica;
import org.apache.cassandra.locator.TokenMetadata;
import org.apache.cassandra.service.StorageService;
import org.apache.cassandra.utils.FBUtilities;
import org.apache.cassandra.utils.Pair;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The current {@link RingSnapshot} of a table's keyspace. The primary of a token is the first
 * natural replica within this node's datacenter. While nodes leave or move the arcs are those of
 * {@link RingTransition}. A node without tokens in the ring (it bootstraps, replaces another, or is
 * kept out by write survey) counts with the tokens that it bootstraps with or has saved.
 *
 * <p>A snapshot is shared by all tables and strategy instances of a keyspace, computed once for
 * each state of the ring and of the replication, and kept as the same object where a change did not
 * alter this node's view: classifications made against it stay valid. Thread-safe.
 */
public final class TableRing {
  private static final Logger logger = LoggerFactory.getLogger(TableRing.class);
  private static final ConcurrentMap<Key, LatestValue<RingState, RingSnapshot>> SHARED =
      new ConcurrentHashMap<>();

  private final ColumnFamilyStore cfs;
  private final int maxRangeGroups;

  public TableRing(ColumnFamilyStore cfs, int maxRangeGroups) {
    this.cfs = cfs;
    this.maxRangeGroups = maxRangeGroups;
  }

  /** Drops the snapshots of a keyspace that is gone. */
  public static void forget(String keyspace) {
    SHARED.keySet().removeIf(key -> key.keyspace.equals(keyspace));
  }

  /**
   * The snapshot, or null where there is no ring: offline tools, local tables, before joining.
   * After a change of the ring the first caller computes it (up to a second for thousands of
   * tokens); others get the one before until it is there. Not to be called under a lock.
   */
  public @Nullable RingSnapshot current() {
    return isLocal() ? null : shared().at(this::state);
  }

  /** The snapshot computed last, which costs nothing: never older than any seen before. */
  public @Nullable RingSnapshot latest() {
    return isLocal() ? null : shared().latest(this::state);
  }

  private boolean isLocal() {
    return cfs.getPartitioner() instanceof LocalPartitioner;
  }

  private LatestValue<RingState, RingSnapshot> shared() {
    // no reference to the table: it may be dropped
    return SHARED.computeIfAbsent(
        new Key(cfs.getKeyspaceName(), maxRangeGroups),
        key -> new LatestValue<>((state, before) -> snapshot(key, state.replication, before)));
  }

  private RingState state() {
    return state(StorageService.instance.getTokenMetadata(), cfs.keyspace.getReplicationStrategy());
  }

  static RingState state(TokenMetadata metadata, AbstractReplicationStrategy replication) {
    InetAddressAndPort local = FBUtilities.getBroadcastAddressAndPort();
    return new RingState(
        metadata.getRingVersion(),
        replication,
        metadata.getLeavingEndpoints(),
        metadata.getMovingEndpoints(),
        metadata.isMember(local) ? Set.of() : bootstrapTokens(metadata, local));
  }

  private static @Nullable RingSnapshot snapshot(
      Key key, AbstractReplicationStrategy replication, @Nullable RingSnapshot before) {
    TokenMetadata metadata = StorageService.instance.getTokenMetadata();
    RingView<Token> view = view(metadata, replication, TableRing::savedTokens, key.maxRangeGroups);
    if (view == null) {
      return null;
    }
    if (before != null && before.view().equals(view)) {
      return before;
    }
    if (view.hasScatteredGroups()) {
      logger.info(
          "{}: this node owns more than {} ranges (max_range_groups): joined into {} range groups"
              + " that are scattered over the ring",
          key.keyspace,
          key.maxRangeGroups,
          view.primaryGroups() + view.redundantGroups());
    }
    return new RingSnapshot(view);
  }

  /**
   * @param savedTokens this node's tokens of its last start; asked where it has no others
   */
  static @Nullable RingView<Token> view(
      TokenMetadata metadata,
      AbstractReplicationStrategy replication,
      Supplier<Collection<Token>> savedTokens,
      int maxRangeGroups) {
    InetAddressAndPort local = FBUtilities.getBroadcastAddressAndPort();
    TokenMetadata now = metadata.cloneOnlyTokenMap();
    TokenMetadata afterwards = metadata.cloneAfterAllSettled();
    if (!now.isMember(local)) {
      Set<Token> bootstrap = bootstrapTokens(metadata, local);
      Collection<Token> own = bootstrap.isEmpty() ? savedTokens.get() : bootstrap;
      if (!own.isEmpty()) {
        now.updateNormalTokens(own, local);
        afterwards.updateNormalTokens(own, local);
      }
    } else if (!afterwards.isMember(local)) {
      // this node is leaving: until it has left it serves what it has
      afterwards = now;
    }
    if (afterwards.sortedTokens().isEmpty()) {
      return null;
    }
    RingTransition.Arcs<Token, InetAddressAndPort> arcs =
        now.sortedTokens().equals(afterwards.sortedTokens())
            ? RingTransition.settled(ring(replication, afterwards))
            : RingTransition.between(ring(replication, now), ring(replication, afterwards), local);
    return RingView.of(arcs.ends(), arcs.replicas(), local, maxRangeGroups);
  }

  private static Collection<Token> savedTokens() {
    // offline tools have no system tables to ask
    return DatabaseDescriptor.isDaemonInitialized() ? SystemKeyspace.getSavedTokens() : Set.of();
  }

  private static Set<Token> bootstrapTokens(TokenMetadata metadata, InetAddressAndPort local) {
    return Set.copyOf(metadata.getBootstrapTokens().inverse().get(local));
  }

  private static RingTransition.State<Token, InetAddressAndPort> ring(
      AbstractReplicationStrategy replication, TokenMetadata tokens) {
    IEndpointSnitch snitch = DatabaseDescriptor.getEndpointSnitch();
    String localDc = snitch.getDatacenter(FBUtilities.getBroadcastAddressAndPort());
    return new RingTransition.State<>(
        tokens.sortedTokens(),
        token -> {
          List<InetAddressAndPort> sameDc = new ArrayList<>();
          for (Replica replica : replication.calculateNaturalReplicas(token, tokens)) {
            if (snitch.getDatacenter(replica.endpoint()).equals(localDc)) {
              sameDc.add(replica.endpoint());
            }
          }
          return sameDc;
        });
  }

  private record Key(String keyspace, int maxRangeGroups) {}

  /**
   * What a snapshot follows from. Nodes that begin to leave or to move do not change the ring's
   * version, nor do tokens that this node is about to bootstrap with.
   */
  record RingState(
      long version,
      AbstractReplicationStrategy replication,
      Set<InetAddressAndPort> leaving,
      Set<Pair<Token, InetAddressAndPort>> moving,
      Set<Token> bootstrapTokens) {}
}
