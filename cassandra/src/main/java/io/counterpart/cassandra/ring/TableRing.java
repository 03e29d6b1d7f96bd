package io.counterpart.cassandra.ring;

import io.counterpart.core.ring.RingView;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.dht.LocalPartitioner;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.locator.AbstractReplicationStrategy;
import org.apache.cassandra.locator.IEndpointSnitch;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.locator.Replica;
import org.apache.cassandra.locator.TokenMetadata;
import org.apache.cassandra.service.StorageService;
import org.apache.cassandra.utils.FBUtilities;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The current {@link RingSnapshot} of a table's keyspace. The primary of a token is the first
 * natural replica within this node's datacenter. While this node bootstraps or replaces another,
 * the ring is taken as it will be afterwards, so that what streams in lands where it belongs.
 *
 * <p>Snapshots are shared by all tables and strategy instances of a keyspace, recomputed when the
 * ring version or the replication changes, and kept as the same object where the change did not
 * alter this node's view: classifications made against it stay valid. Thread-safe.
 */
public final class TableRing {
  private static final Logger logger = LoggerFactory.getLogger(TableRing.class);
  private static final ConcurrentMap<Key, Versioned> SHARED = new ConcurrentHashMap<>();

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

  /** The snapshot, or null where there is no ring: offline tools, local tables, before joining. */
  public @Nullable RingSnapshot current() {
    if (cfs.getPartitioner() instanceof LocalPartitioner) {
      return null;
    }
    TokenMetadata metadata = StorageService.instance.getTokenMetadata();
    AbstractReplicationStrategy replication = cfs.keyspace.getReplicationStrategy();
    boolean bootstrapping = isBootstrapping();
    Key key = new Key(cfs.getKeyspaceName(), maxRangeGroups);
    Versioned known = SHARED.get(key);
    long version = metadata.getRingVersion();
    if (known != null && known.isFor(version, replication, bootstrapping)) {
      return known.snapshot;
    }
    RingView<Token> view = compute(metadata, replication, bootstrapping);
    if (view == null) {
      return null;
    }
    boolean unchanged = known != null && known.snapshot.view().equals(view);
    RingSnapshot snapshot = unchanged && known != null ? known.snapshot : new RingSnapshot(view);
    if (!unchanged && view.isGroupedByReplicaList()) {
      logger.info(
          "{}: this node owns more than {} ranges (max_range_groups): grouped by replica list into {}",
          cfs.getKeyspaceName(),
          maxRangeGroups,
          view.primaryGroups() + view.redundantGroups());
    }
    SHARED.put(key, new Versioned(version, replication, bootstrapping, snapshot));
    return snapshot;
  }

  private @Nullable RingView<Token> compute(
      TokenMetadata metadata, AbstractReplicationStrategy replication, boolean bootstrapping) {
    InetAddressAndPort local = FBUtilities.getBroadcastAddressAndPort();
    TokenMetadata settled = metadata.cloneAfterAllSettled();
    if (!settled.isMember(local) && metadata.isMember(local)) {
      // this node is leaving: until it has left it serves what it has
      settled = metadata.cloneOnlyTokenMap();
    }
    if (bootstrapping) {
      Collection<Token> mine = metadata.getBootstrapTokens().inverse().get(local);
      if (!mine.isEmpty()) {
        settled.updateNormalTokens(new ArrayList<>(mine), local);
      }
    }
    List<Token> ends = new ArrayList<>(settled.sortedTokens());
    if (ends.isEmpty()) {
      return null;
    }
    IEndpointSnitch snitch = DatabaseDescriptor.getEndpointSnitch();
    String localDc = snitch.getDatacenter(local);
    List<List<InetAddressAndPort>> replicas = new ArrayList<>(ends.size());
    for (Token end : ends) {
      List<InetAddressAndPort> sameDc = new ArrayList<>();
      for (Replica replica : replication.calculateNaturalReplicas(end, settled)) {
        if (snitch.getDatacenter(replica.endpoint()).equals(localDc)) {
          sameDc.add(replica.endpoint());
        }
      }
      replicas.add(sameDc);
    }
    return RingView.of(ends, replicas, local, maxRangeGroups);
  }

  private static boolean isBootstrapping() {
    return StorageService.instance.isBootstrapMode() && !StorageService.isReplacingSameAddress();
  }

  private record Key(String keyspace, int maxRangeGroups) {}

  private record Versioned(
      long ringVersion,
      AbstractReplicationStrategy replication,
      boolean bootstrapping,
      RingSnapshot snapshot) {
    boolean isFor(long version, AbstractReplicationStrategy current, boolean nowBootstrapping) {
      return ringVersion == version && replication == current && bootstrapping == nowBootstrapping;
    }
  }
}
