package io.counterpart.cassandra.consistency;

import com.google.common.base.Suppliers;
import io.counterpart.cassandra.consistency.policy.Policies;
import io.counterpart.cassandra.consistency.sampling.HintFiles;
import io.counterpart.cassandra.consistency.sampling.WriteSampler;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.gms.FailureDetector;
import org.apache.cassandra.gms.Gossiper;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.locator.TokenMetadata;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.service.StorageService;
import org.apache.cassandra.utils.FBUtilities;

/** What is due every second: bounds anew, timings anew, dropped tables forgotten. One thread. */
final class Upkeep {
  private final Coordinator coordinator;
  private final WriteSampler sampler;

  /** By host: a node may come back with another address. One for each that was ever in the ring. */
  private final Map<UUID, InetAddressAndPort> addresses = new HashMap<>();

  Upkeep(Coordinator coordinator, WriteSampler sampler) {
    this.coordinator = coordinator;
    this.sampler = sampler;
  }

  void run() {
    sampler.forgetOld();
    coordinator.replicaSets().forget();
    coordinator.tallies().decisions().forget();
    coordinator.estimates().evaluate(Upkeep::exists, this::window);
    coordinator.tallies().counts().forgetUnless(Upkeep::exists);
    coordinator.tallies().shadows().forgetUnless(Upkeep::exists);
    coordinator.tallies().repairs().forgetUnless(Upkeep::exists);
    observe(coordinator.nanoClock().getAsLong());
    coordinator.tallies().usualTimes().refresh();
  }

  /** Which nodes are there: for this coordinator also one that owes acknowledgements is not. */
  private void observe(long now) {
    Set<InetAddressAndPort> suspects = coordinator.estimates().suspects();
    // without it this node learns of no other that dies, and is itself dead to the others
    boolean gossips = Gossiper.instance.isEnabled();
    TokenMetadata ring = StorageService.instance.getTokenMetadata();
    boolean isFirst = addresses.isEmpty();
    // read once, and only if a node may have caught up: looks for own copies wait for this thread
    Supplier<Optional<Set<UUID>>> hinted = Suppliers.memoize(Upkeep::hinted)::get;
    for (InetAddressAndPort node : ring.getAllMembers()) {
      UUID host = ring.getHostId(node);
      if (host != null) {
        if (!isFirst && !addresses.containsKey(host)) {
          coordinator.absences().joined(node, now);
        }
        follow(host, node, ring, now);
      }
      boolean answers =
          gossips && FailureDetector.instance.isAlive(node) && !suspects.contains(node);
      coordinator.absences().observe(node, answers && !isIncomplete(node), now);
      if (host != null) {
        coordinator
            .absences()
            .owes(node, () -> hinted.get().map(hosts -> hosts.contains(host)).orElse(true), now);
      }
    }
    coordinator.absences().observed(FBUtilities.getBroadcastAddressAndPort(), now);
  }

  private void follow(UUID host, InetAddressAndPort node, TokenMetadata ring, long now) {
    InetAddressAndPort before = addresses.put(host, node);
    if (before != null && !before.equals(node)) {
      coordinator.absences().moved(before, node, ring.isMember(before), now);
    }
  }

  /** Without hints nothing but a repair brings what it has missed. */
  private boolean isIncomplete(InetAddressAndPort node) {
    return coordinator.absences().isAway(node) && !getsHints(node);
  }

  private static boolean getsHints(InetAddressAndPort node) {
    Set<String> without = DatabaseDescriptor.hintedHandoffDisabledDCs();
    return DatabaseDescriptor.hintedHandoffEnabled()
        && (without.isEmpty()
            || !without.contains(DatabaseDescriptor.getEndpointSnitch().getDatacenter(node)));
  }

  /** Hosts that this node keeps hints for; empty if it cannot tell. */
  private static Optional<Set<UUID>> hinted() {
    return HintFiles.hosts(DatabaseDescriptor.getHintsDirectory().toPath());
  }

  private static boolean exists(Policies.TableName table) {
    return Schema.instance.getTableMetadata(table.keyspace(), table.table()) != null;
  }

  private static boolean exists(TableId table) {
    return Schema.instance.getTableMetadata(table) != null;
  }

  private OptionalLong window(TableId id) {
    TableMetadata table = Schema.instance.getTableMetadata(id);
    return table == null
        ? OptionalLong.empty()
        : coordinator.policies().of(table.keyspace, table.name).windowMillis();
  }
}
