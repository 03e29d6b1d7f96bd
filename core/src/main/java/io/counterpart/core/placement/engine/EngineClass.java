package io.counterpart.core.placement.engine;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * What a node's storage engine is good at. Nodes announce it as their rack, so that it is gossiped
 * and survives restarts.
 *
 * <p>Paper: MyCassandra §3.2.
 */
public enum EngineClass {
  /** Fast at writes: an LSM-tree. */
  WRITE,
  /** Fast at reads: a B+tree. */
  READ,
  /** Fast at both: data in memory. Copies there are part of both quorums. */
  MEMORY;

  /** The names, as they are written in racks and options. */
  public static final List<String> NAMES =
      Arrays.stream(values()).map(EngineClass::toString).toList();

  /** The class of a name; empty if there is none. */
  public static Optional<EngineClass> named(String name) {
    return Arrays.stream(values()).filter(each -> each.toString().equals(name)).findFirst();
  }

  /** The class that a rack names, alone or as {@code server/class}; empty if it names none. */
  public static Optional<EngineClass> ofRack(String rack) {
    return named(rack.substring(rack.lastIndexOf('/') + 1));
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
