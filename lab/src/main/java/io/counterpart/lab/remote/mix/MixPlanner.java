package io.counterpart.lab.remote.mix;

import io.counterpart.core.placement.engine.EngineClass;
import io.counterpart.core.placement.engine.EngineMix;
import io.counterpart.core.placement.engine.EngineNode;
import io.counterpart.core.placement.engine.EngineQuotas;
import io.counterpart.core.placement.engine.KeyspaceMixChange;
import io.counterpart.core.placement.engine.MixChange;
import io.counterpart.core.ring.change.RingNode;
import io.counterpart.core.ring.change.TokenRing;
import io.counterpart.lab.setup.RunRefusedException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Plans changes of a keyspace's mix.
 *
 * @param present by datacenter with copies
 */
record MixPlanner(String keyspace, Map<String, EngineMix> present, TokenRing ring) {
  // a large ring takes seconds for each
  private static final int MOST_TRIES = 20;

  MixPlan plan(@Nullable String named, EngineMix wanted) {
    String datacenter = datacenter(named, wanted);
    Map<String, EngineMix> after = after(datacenter, wanted);
    after.forEach(this::requireNodes);
    KeyspaceMixChange change = change(present, after);
    return new MixPlan(
        keyspace,
        datacenter,
        change,
        after.equals(present),
        change.isPossible() ? Optional.empty() : over(datacenter, after));
  }

  /** Whose N it is, has to be named only where some N changes. */
  private String datacenter(@Nullable String named, EngineMix wanted) {
    boolean isOpen =
        present.size() > 1
            && present.values().stream().anyMatch(mix -> mix.copies() != wanted.copies());
    if (named == null && !isOpen && !present.isEmpty()) {
      return new TreeMap<>(present).firstKey();
    }
    if (named == null || !present.containsKey(named)) {
      throw new RunRefusedException(
          "datacenter %s: keyspace %s has copies in %s"
              .formatted(
                  named == null ? "is not named" : named,
                  keyspace,
                  new TreeSet<>(present.keySet())));
    }
    return named;
  }

  private Map<String, EngineMix> after(String datacenter, EngineMix wanted) {
    Map<String, EngineMix> after = new TreeMap<>();
    present.forEach(
        (each, mix) -> {
          int copies = each.equals(datacenter) ? wanted.copies() : mix.copies();
          try {
            after.put(each, new EngineMix(copies, wanted.writeQuorum(), wanted.readQuorum()));
          } catch (IllegalArgumentException e) {
            throw new RunRefusedException(
                "%s, whose quorums are those of the whole keyspace: %s"
                    .formatted(each, e.getMessage()));
          }
        });
    return after;
  }

  private void requireNodes(String datacenter, EngineMix mix) {
    try {
      mix.quotas().requireNodes(datacenter, engine -> nodes(datacenter, engine));
    } catch (IllegalArgumentException e) {
      throw new RunRefusedException(String.valueOf(e.getMessage()));
    }
  }

  private long nodes(String datacenter, EngineClass engine) {
    return ring.nodes().stream()
        .filter(node -> node.datacenter().equals(datacenter))
        .filter(node -> isOf(engine, node))
        .count();
  }

  private static boolean isOf(EngineClass engine, RingNode node) {
    return EngineNode.inRack(node.name(), node.rack())
        .filter(known -> known.engine() == engine)
        .isPresent();
  }

  private KeyspaceMixChange change(Map<String, EngineMix> before, Map<String, EngineMix> after) {
    Map<String, MixChange> changes = new TreeMap<>();
    after.forEach(
        (datacenter, mix) ->
            changes.put(
                datacenter,
                MixChange.of(
                    ring, datacenter, Objects.requireNonNull(before.get(datacenter)), mix)));
    return KeyspaceMixChange.of(changes);
  }

  /** The least mix with as many copies of each class as both, if both steps are possible. */
  private Optional<EngineMix> over(String datacenter, Map<String, EngineMix> after) {
    EngineMix from = Objects.requireNonNull(present.get(datacenter));
    EngineMix to = Objects.requireNonNull(after.get(datacenter));
    return covering(from.covering(to).quotas(), from.copies() + to.copies()).stream()
        .filter(mix -> isBetween(datacenter, mix, after))
        .findFirst();
  }

  private static List<EngineMix> covering(EngineQuotas least, int most) {
    List<EngineMix> mixes = new ArrayList<>();
    for (int copies = least.copies(); copies <= most; copies++) {
      int more = copies - least.copies();
      for (int memory = more; memory >= 0; memory--) {
        for (int write = more - memory; write >= 0; write--) {
          int writes = least.write() + write;
          int reads = least.read() + more - memory - write;
          mixes.add(new EngineMix(copies, copies - reads, copies - writes));
        }
      }
    }
    return mixes.subList(0, Math.min(mixes.size(), MOST_TRIES));
  }

  private boolean isBetween(String datacenter, EngineMix mix, Map<String, EngineMix> after) {
    try {
      Map<String, EngineMix> between = after(datacenter, mix);
      between.forEach(this::requireNodes);
      return change(present, between).isPossible() && change(between, after).isPossible();
    } catch (RunRefusedException e) {
      return false;
    }
  }
}
