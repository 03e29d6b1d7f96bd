package io.counterpart.core.staleness;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The four delays of an operation on one replica: W, a write on its way to the replica; A, its
 * acknowledgement; R, a read on its way; S, its response.
 *
 * <p>Source: Bailis et al., Probabilistically Bounded Staleness for Practical Partial Quorums (VLDB
 * 2012), §4 and Table 3: production fits of LinkedIn on SSDs and disks, and of Yammer.
 */
public record WarsModel(Delays write, Delays ack, Delays read, Delays response) {
  private static final Delays SSD = new Delays.ParetoAndTail(0.9122, 0.235, 10, 1.66);
  private static final Delays DISK = new Delays.ParetoAndTail(0.38, 1.05, 1.51, 0.183);
  private static final Delays YAMMER_WRITE = new Delays.ParetoAndTail(0.939, 3, 3.35, 0.0028);
  private static final Delays YAMMER = new Delays.ParetoAndTail(0.982, 1.5, 3.8, 0.0217);

  /** The published models, by name. */
  public static Map<String, WarsModel> published() {
    Map<String, WarsModel> models = new LinkedHashMap<>();
    models.put("lnkd-ssd", new WarsModel(SSD, SSD, SSD, SSD));
    models.put("lnkd-disk", new WarsModel(DISK, SSD, SSD, SSD));
    models.put("ymmr", new WarsModel(YAMMER_WRITE, YAMMER, YAMMER, YAMMER));
    return models;
  }
}
