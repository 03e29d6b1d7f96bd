package io.counterpart.cache.control;

import java.time.Duration;
import java.util.Optional;

/**
 * The progress of a change of servers.
 *
 * @param doing {@code adding} or {@code removing}
 * @param servers their addresses, separated by a space
 * @param stripesLeft stripes still to visit, once for each wave
 * @param stripesInAll stripes to visit in total, as far as known
 * @param seconds time since the change began, or since the proxy's start
 */
public record ChangeReport(
    String doing, String servers, long stripesLeft, long stripesInAll, long seconds) {

  /** Estimated remaining time at the present pace; empty before that is known. */
  public Optional<Duration> remaining() {
    long done = stripesInAll - stripesLeft;
    return done <= 0 || seconds == 0
        ? Optional.empty()
        : Optional.of(Duration.ofSeconds(Math.round((double) seconds * stripesLeft / done)));
  }

  /** One line for people. */
  @Override
  public String toString() {
    return "%s %s: %d of %d stripes left%s"
        .formatted(
            doing,
            servers,
            stripesLeft,
            stripesInAll,
            remaining().map(left -> ", about " + left.toSeconds() + " s").orElse(""));
  }
}
