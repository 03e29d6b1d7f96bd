package io.counterpart.core.ring.change;

import java.util.List;
import java.util.Set;

/**
 * Who sends an arc to a new replica: whoever ceases to be one, as Cassandra's consistent range
 * movements have it, else the replicas in its datacenter, else all; nobody if none answers.
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
