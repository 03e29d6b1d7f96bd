package io.counterpart.core.ring.change;

import java.util.List;
import java.util.Set;

/**
 * The senders of an arc to a new replica: the replicas that lose the arc, as in Cassandra's
 * consistent range movements, else the replicas in the new one's datacenter, else all replicas;
 * none if no replica answers.
 *
 * @param after the ring that has both
 */
record Senders(ReplicaMap after, Set<String> silent) {

  List<String> of(String target, List<String> had, List<String> has) {
    List<String> able = had.stream().filter(node -> !silent.contains(node)).toList();
    List<String> ceasing = able.stream().filter(node -> !has.contains(node)).toList();
    List<String> preferred = ceasing.isEmpty() ? able : ceasing;
    List<String> near = preferred.stream().filter(node -> after.areTogether(node, target)).toList();
    return near.isEmpty() ? preferred : near;
  }
}
