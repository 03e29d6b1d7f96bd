package io.counterpart.cli.ring;

import io.counterpart.core.recovery.TokenRange;
import io.counterpart.core.ring.change.Replication;
import io.counterpart.core.ring.change.RingNode;
import io.counterpart.core.ring.change.TokenRing;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A picture of a ring as SVG, without a script: for each datacenter a circle of bands, the
 * outermost is the primary's. A pointer that rests on an arc names its nodes.
 */
final class RingSvg {
  private static final int OUTER = 100;
  private static final int PRIMARY_WIDTH = 20;
  private static final int REDUNDANT_WIDTH = 11;
  private static final int GAP = 2;
  private static final int SIDE = 2 * OUTER + 8;

  private final Map<String, Integer> hues = new HashMap<>();
  private final StringBuilder out = new StringBuilder();

  private RingSvg(List<RingNode> nodes) {
    for (int i = 0; i < nodes.size(); i++) {
      hues.put(nodes.get(i).name(), i * 360 / nodes.size());
    }
  }

  static String of(TokenRing ring, Replication replication) {
    return new RingSvg(ring.nodes()).drawn(DatacenterReplicas.of(ring, replication));
  }

  private String drawn(List<DatacenterReplicas> datacenters) {
    out.append(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" role=\"img\""
            .formatted(SIDE * Math.max(1, datacenters.size()), SIDE));
    out.append(" aria-label=\"The ring's arcs\" stroke=\"white\" stroke-width=\".6\">\n");
    for (int i = 0; i < datacenters.size(); i++) {
      out.append("<g transform=\"translate(%d %d)\">%n".formatted(SIDE * i + SIDE / 2, SIDE / 2));
      circle(datacenters.get(i));
      out.append("</g>\n");
    }
    return out.append("</svg>\n").toString();
  }

  private void circle(DatacenterReplicas replicas) {
    for (int i = 0; i < replicas.ring().tokens().size(); i++) {
      TokenRange arc = replicas.ring().arc(i);
      double from = (arc.left() - (double) Long.MIN_VALUE) / 0x1p64;
      double size = arc.ringFraction();
      List<String> nodes = replicas.of(i);
      String names = escaped(String.join(", ", nodes));
      for (int index = 0; index < nodes.size(); index++) {
        out.append(
            String.format(
                Locale.ROOT,
                "<path d=\"%s\" fill=\"hsl(%d 60%% %d%%)\"><title>%.2f %% of the ring: %s</title>"
                    + "</path>%n",
                band(from, size, index),
                hues.getOrDefault(nodes.get(index), 0),
                index == 0 ? 45 : 70,
                100 * size,
                names));
      }
    }
  }

  /** A piece of a band, clockwise from the top. */
  private static String band(double start, double size, int index) {
    int outer =
        index == 0 ? OUTER : OUTER - PRIMARY_WIDTH - GAP - (index - 1) * (REDUNDANT_WIDTH + GAP);
    int inner = outer - (index == 0 ? PRIMARY_WIDTH : REDUNDANT_WIDTH);
    if (inner < 0) {
      // from the eighth copy on there is no room
      return "";
    }
    // a whole circle has no two ends to draw between
    double to = start + Math.min(size, 0.99999);
    int large = to - start > 0.5 ? 1 : 0;
    return "M%sA%d %d 0 %d 1 %sL%sA%d %d 0 %d 0 %sZ"
        .formatted(
            at(start, outer),
            outer,
            outer,
            large,
            at(to, outer),
            at(to, inner),
            inner,
            inner,
            large,
            at(start, inner));
  }

  private static String at(double way, int radius) {
    double angle = way * 2 * Math.PI;
    return String.format(
        Locale.ROOT, "%.3f %.3f", Math.sin(angle) * radius, -Math.cos(angle) * radius);
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;");
  }
}
