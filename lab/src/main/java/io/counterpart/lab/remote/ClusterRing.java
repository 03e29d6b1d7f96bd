package io.counterpart.lab.remote;

import io.counterpart.core.ring.change.Replication;
import io.counterpart.core.ring.change.TableLoad;
import io.counterpart.core.ring.change.TokenRing;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The ring of a running cluster with the bytes of its tables.
 *
 * @param name the cluster's
 * @param replications of the keyspaces that were asked for, by name; those without tables too
 * @param tables of the keyspaces that were asked for, with the bytes of the nodes that gave them
 * @param silent addresses of nodes that did not answer CQL
 * @param unweighed addresses of nodes that answer CQL but not JMX, so that their bytes are unknown
 */
public record ClusterRing(
    String name,
    TokenRing ring,
    Map<String, Replication> replications,
    List<TableLoad> tables,
    Set<String> silent,
    Set<String> unweighed) {
  /** Copies the collections. */
  public ClusterRing {
    replications = new TreeMap<>(replications);
    tables = List.copyOf(tables);
    silent = new TreeSet<>(silent);
    unweighed = new TreeSet<>(unweighed);
  }
}
