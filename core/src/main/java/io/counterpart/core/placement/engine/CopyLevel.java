package io.counterpart.core.placement.engine;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * A consistency level, as the number of copies that it waits for in a datacenter. Of those that ask
 * as many, the first one here is named to people.
 */
public enum CopyLevel {
  /** One copy. */
  ONE,
  /** More than half of the copies. */
  QUORUM,
  /** All copies. */
  ALL,
  /** Two copies. */
  TWO,
  /** Three copies. */
  THREE,
  /** One copy of the coordinator's datacenter. */
  LOCAL_ONE,
  /** More than half of the copies in the coordinator's datacenter. */
  LOCAL_QUORUM;

  /** Those that tell how many copies of a datacenter answer, where several have copies. */
  private static final List<CopyLevel> BY_DATACENTER = List.of(LOCAL_ONE, LOCAL_QUORUM, ALL);

  /** The level of a name, in letters of either case; empty if none of these has it. */
  public static Optional<CopyLevel> named(String name) {
    return Arrays.stream(values()).filter(level -> level.name().equalsIgnoreCase(name)).findFirst();
  }

  /**
   * Those with a known number of copies in each datacenter.
   *
   * @param datacenters with copies, 1 or more
   */
  public static List<CopyLevel> of(int datacenters) {
    return datacenters == 1 ? List.of(values()) : BY_DATACENTER;
  }

  /** Copies of N that it waits for; more than N where N copies can never answer it. */
  public int copies(int all) {
    return switch (this) {
      case ONE, LOCAL_ONE -> 1;
      case TWO -> 2;
      case THREE -> 3;
      case QUORUM, LOCAL_QUORUM -> all / 2 + 1;
      case ALL -> all;
    };
  }
}
