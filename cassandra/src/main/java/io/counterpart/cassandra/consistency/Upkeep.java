package io.counterpart.cassandra.consistency;

import com.google.common.base.Suppliers;
import io.counterpart.cassandra.consistency.policy.Policies;
import io.counterpart.cassandra.consistency.sampling.HintFiles;
import io.counterpart.cassandra.consistency.sampling.WriteSampler;
import io.counterpart.core.staleness.estimate.Takeovers;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.gms.FailureDetector;
import org.apache.cassandra.gms.Gossiper;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.locator.TokenMetadata;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.service.StorageService;
import org.apache.cassandra.utils.FBUtilities;
import org.jspecify.annotations.Nullable;

/** What is due every second: bounds anew, timings anew, dropped tables forgotten. One thread. */
final class Upkeep {
  /** In place of a node's host id that this one does not know; its tokens count all the same. */
  static final UUID UNKNOWN = new UUID(0, 0);

  private final Coordinator coordinator;
  private final WriteSampler sampler;

  /** By host: a node may come back with another address. One for each that was ever in the ring. */
  private final Map<UUID, InetAddressAndPort> addresses = new HashMap<>();

  private final Takeovers<UUID, Token> takeovers = new Takeovers<>();

  /** The ring of the last look for takeovers. */
  private @Nullable TokenMetadata known;

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
    Takeovers.Change<UUID> change = change(ring);
    boolean isFirst = addresses.isEmpty();
    // read once, and only if a node may have caught up: looks for own copies wait for this thread
    Supplier<Optional<Set<UUID>>> hinted = Suppliers.memoize(Upkeep::hinted)::get;
    Set<InetAddressAndPort> members = ring.getAllMembers();
    for (InetAddressAndPort node : members) {
      UUID host = ring.getHostId(node);
      if (host != null) {
        boolean isNew = !isFirst && !addresses.containsKey(host);
        if (isNew) {
          coordinator.absences().joined(node, now);
        }
        follow(host, node, ring, now);
        if (!isNew && change.grown().contains(host)) {
          coordinator.absences().tookOver(node, now);
        }
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
    // at last: those that stay have rows of one that has left just now
    for (UUID host : change.gone()) {
      InetAddressAndPort node = addresses.get(host);
      if (node != null && !members.contains(node)) {
        coordinator.absences().removed(node);
      }
    }
    coordinator.absences().observed(FBUtilities.getBroadcastAddressAndPort(), now);
  }

  /** What is different since the last round; looks at all tokens only where something may be. */
  private Takeovers.Change<UUID> change(TokenMetadata ring) {
    if (known != null && known.getRingVersion() == ring.getRingVersion()) {
      return new Takeovers.Change<>(Set.of(), Set.of());
    }
    TokenMetadata now = ring.cloneOnlyTokenMap();
    Takeovers.Change<UUID> change = takeovers.look(owners(now));
    known = now;
    return change;
  }

  /** At a start Cassandra may know tokens of a node before its host id, or without one. */
  static Map<Token, UUID> owners(TokenMetadata ring) {
    Map<Token, UUID> owners = new HashMap<>();
    for (Token token : ring.sortedTokens()) {
      UUID host = ring.getHostId(ring.getEndpoint(token));
      owners.put(token, Objects.requireNonNullElse(host, UNKNOWN));
    }
    return owners;
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
