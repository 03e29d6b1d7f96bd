package io.counterpart.cli.ring;

import io.counterpart.core.ring.change.Replication;
import io.counterpart.core.ring.change.RingNode;
import io.counterpart.core.ring.change.TokenRing;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A picture of a ring for a terminal: the ring unrolled into bands of letters, one a copy. */
final class RingLines {
  /** Columns of the picture; each stands for an equal part of the ring. */
  private static final int COLUMNS = 72;

  private static final String LETTERS =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

  private RingLines() {}

  /** A band for the primary, one for each redundant copy, by datacenter; then the letters. */
  static List<String> of(TokenRing ring, Replication replication) {
    Map<String, Character> letters = letters(ring.nodes());
    List<DatacenterReplicas> datacenters = DatacenterReplicas.of(ring, replication);
    List<String> lines = new ArrayList<>();
    for (DatacenterReplicas datacenter : datacenters) {
      String prefix = datacenters.size() == 1 ? "" : datacenter.name() + " ";
      List<StringBuilder> bands = bands(datacenter, letters);
      for (int index = 0; index < bands.size(); index++) {
        lines.add(prefix + (index == 0 ? "primary    " : "redundant  ") + bands.get(index));
      }
    }
    lines.add(legend(ring.nodes(), letters));
    return lines;
  }

  private static Map<String, Character> letters(List<RingNode> nodes) {
    Map<String, Character> letters = new HashMap<>();
    for (int i = 0; i < nodes.size() && i < LETTERS.length(); i++) {
      letters.put(nodes.get(i).name(), LETTERS.charAt(i));
    }
    return letters;
  }

  private static List<StringBuilder> bands(
      DatacenterReplicas replicas, Map<String, Character> letters) {
    List<StringBuilder> bands = new ArrayList<>();
    for (int column = 0; column < COLUMNS; column++) {
      List<String> nodes = replicas.of(arcAt(replicas.ring(), column));
      for (int index = 0; index < nodes.size(); index++) {
        if (bands.size() == index) {
          bands.add(new StringBuilder());
        }
        bands.get(index).append(letters.getOrDefault(nodes.get(index), '?'));
      }
    }
    return bands;
  }

  /** The arc in the middle of a column, from the lowest token on. */
  private static int arcAt(TokenRing ring, int column) {
    double way = (column + 0.5) / COLUMNS;
    long token = (long) (way * 0x1p64 - 0x1p63);
    return ring.arcOf(token);
  }

  private static String legend(List<RingNode> nodes, Map<String, Character> letters) {
    StringBuilder legend = new StringBuilder();
    for (RingNode node : nodes) {
      Character letter = letters.get(node.name());
      if (letter != null) {
        legend.append(letter).append(' ').append(node.name()).append("  ");
      }
    }
    return legend.toString().stripTrailing() + (nodes.size() > letters.size() ? "  ? more" : "");
  }
}
