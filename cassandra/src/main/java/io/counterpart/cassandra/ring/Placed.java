package io.counterpart.cassandra.ring;

import io.counterpart.core.ring.Role;

/**
 * The place of an sstable: its role and range group.
 *
 * @param role the kind of copies in the sstable
 * @param group its range group, or {@link #NO_GROUP} where it spans several
 * @param replicaIndex the one replica index of its data, or -1 where there are several or none
 */
public record Placed(Role role, int group, int replicaIndex) {
  public static final int NO_GROUP = -1;
}
