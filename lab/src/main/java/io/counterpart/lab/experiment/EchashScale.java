package io.counterpart.lab.experiment;

import io.counterpart.lab.tier.Repeats;
import java.time.Duration;

/**
 * The size of a memory tier experiment.
 *
 * @param servers of each tier
 * @param objects of each tier with values of 1 KiB
 * @param smallObjects of each tier with smaller values
 * @param requests of a block at least
 * @param leastBlock least time of a block of requests
 * @param repeats of requests
 * @param changes repeats of scaling and repair
 * @param coding time of a block that encodes
 * @param fullMegabytes memory in MiB of servers that are filled
 */
record EchashScale(
    int servers,
    int objects,
    int smallObjects,
    int requests,
    Duration leastBlock,
    Repeats repeats,
    Repeats changes,
    Duration coding,
    int fullMegabytes) {
  // the servers of the paper, but for smoke
  private static final int SERVERS = 45;
  private static final Duration LEAST_BLOCK = Duration.ofSeconds(5);

  static EchashScale of(LabScale scale) {
    return switch (scale) {
      case SMOKE ->
          new EchashScale(
              12,
              4_000,
              4_000,
              20_000,
              Duration.ZERO,
              new Repeats(1, 3),
              new Repeats(1, 2),
              Duration.ofMillis(50),
              16);
      case SMALL ->
          new EchashScale(
              SERVERS,
              200_000,
              400_000,
              200_000,
              LEAST_BLOCK,
              new Repeats(1, 5),
              new Repeats(1, 5),
              Duration.ofMillis(500),
              64);
      case FULL ->
          new EchashScale(
              SERVERS,
              2_000_000,
              8_000_000,
              2_000_000,
              LEAST_BLOCK,
              new Repeats(1, 9),
              new Repeats(1, 5),
              Duration.ofSeconds(1),
              64);
    };
  }
}
