package io.counterpart.core.selection;

import io.counterpart.core.placement.engine.EngineClass;
import java.util.ArrayList;
import java.util.List;

/**
 * The order of engine classes in reads of a heterogeneous cluster, a part of the sort key of {@link
 * Ranking}. Immutable.
 *
 * <p>Worked: {@code memory,read,write} asks the memory copy for the data of a QUORUM of three and
 * the read-optimized one for its digest; the write-optimized one is not asked.
 *
 * <p>Paper: MyCassandra §3.2.3.
 *
 * @param classes first to last; nodes of other classes, and in racks that name none, follow
 */
public record EngineOrder(List<EngineClass> classes) {
  /** No order: all nodes are alike. */
  public static final EngineOrder NONE = new EngineOrder(List.of());

  /** Checks and copies. */
  public EngineOrder {
    classes = List.copyOf(classes);
    if (classes.stream().distinct().count() < classes.size()) {
      throw new IllegalArgumentException(classes + " names a class twice, legal: each once");
    }
  }

  /**
   * The order of a list such as {@code memory,read,write}.
   *
   * @throws IllegalArgumentException with the list and what is legal
   */
  public static EngineOrder parse(String list) {
    List<EngineClass> classes = new ArrayList<>();
    for (String name : list.split(",", -1)) {
      EngineClass engine =
          EngineClass.named(name.trim())
              .filter(each -> !classes.contains(each))
              .orElseThrow(
                  () ->
                      new IllegalArgumentException(
                          "'%s'; legal: some of %s, separated by commas, each once"
                              .formatted(list, EngineClass.NAMES)));
      classes.add(engine);
    }
    return new EngineOrder(classes);
  }

  /** The place of a node, 0 and above; the same for all under {@link #NONE}. */
  public int place(String rack) {
    int place = EngineClass.ofRack(rack).map(classes::indexOf).orElse(-1);
    return place < 0 ? classes.size() : place;
  }
}
