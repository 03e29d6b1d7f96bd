package io.counterpart.core.selection;

import io.counterpart.core.selection.StandingTracker.Change;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * One coordinator's choice of replicas for one kind of reads: timings in, a {@link Ranking} and
 * switches out. Reads of points and of ranges have an instance each, so that a slow scan moves no
 * point reads.
 *
 * <p>Timings may come from any thread. {@link #snapshot} belongs to one thread, every {@link
 * SelectionRules#SNAPSHOT}. Times are monotonic nanoseconds of one clock. Endpoints without reads
 * for ten minutes are forgotten, so memory is bounded by the endpoints in use.
 */
public final class ReplicaSelection<E> {
  private static final long FORGOTTEN_NANOS = 600_000_000_000L;
  private static final long SUSPECT_PING_NANOS = 1_000_000_000L;

  private final SelectionRules rules;
  private final ConcurrentMap<E, EndpointTimings> timings = new ConcurrentHashMap<>();
  private final Map<E, StandingTracker> trackers = new HashMap<>();
  private final Map<E, Long> pingWantedAt = new HashMap<>();
  private volatile Ranking<E> ranking = Ranking.empty();
  private volatile Map<E, Reading> readings = Map.of();

  public ReplicaSelection(SelectionRules rules) {
    this.rules = rules;
  }

  /** A read left for an endpoint. */
  public void sent(E endpoint, long now) {
    timingsOf(endpoint, now).sent(now);
  }

  /** Its answer came after that round trip. */
  public void answered(E endpoint, long roundTripNanos, long now) {
    timingsOf(endpoint, now).answered(roundTripNanos, now);
  }

  /** The endpoint refused or failed the read after that time. */
  public void failed(E endpoint, long roundTripNanos, long now) {
    timingsOf(endpoint, now).failed(roundTripNanos, now);
  }

  /** The coordinator gave the read up after that time. */
  public void lost(E endpoint, long waitedNanos, long now) {
    timingsOf(endpoint, now).lost(waitedNanos, now);
  }

  /** A read that was timed, but not seen to leave: the coordinator's own. */
  public void timed(E endpoint, long nanos, long now) {
    timingsOf(endpoint, now).timed(nanos, now);
  }

  /** The endpoint answered a ping. */
  public void lives(E endpoint, long now) {
    EndpointTimings known = timings.get(endpoint);
    if (known != null) {
      known.lives(now);
    }
  }

  /**
   * The coordinator's own reads, before each {@link #snapshot}: those that wait for a thread, and
   * how many have ended since the start, for clients of other coordinators too.
   */
  public void own(E self, int queued, long ended, long now) {
    EndpointTimings known = timings.get(self);
    if (known != null) {
      known.own(queued, ended, now);
    }
  }

  private EndpointTimings timingsOf(E endpoint, long now) {
    EndpointTimings known = timings.get(endpoint);
    return known != null
        ? known
        : timings.computeIfAbsent(endpoint, unused -> new EndpointTimings(rules, now));
  }

  /** The order of the last snapshot. */
  public Ranking<E> ranking() {
    return ranking;
  }

  /** Samples all endpoints and decides; the switches in no order. */
  public List<Switch<E>> snapshot(long now) {
    List<Switch<E>> switches = new ArrayList<>();
    Map<E, Reading> sampled = new HashMap<>();
    Map<E, Standing> standings = new HashMap<>();
    timings.forEach(
        (endpoint, of) -> {
          Reading reading = of.sample(now);
          if (now - reading.readNanos() > FORGOTTEN_NANOS && of.waiting() == 0) {
            forget(endpoint);
            return;
          }
          StandingTracker tracker =
              trackers.computeIfAbsent(endpoint, unused -> new StandingTracker(rules, now));
          Change change = tracker.observe(reading, now);
          if (change != null) {
            switches.add(
                new Switch<>(
                    endpoint, change.reason(), change.fromMicros(), change.toMicros(), now));
          }
          sampled.put(endpoint, reading);
          standings.put(endpoint, tracker.standing());
        });
    readings = sampled;
    if (!switches.isEmpty() || !standings.equals(ranking.standings())) {
      ranking = new Ranking<>(standings);
    }
    return switches;
  }

  private void forget(E endpoint) {
    timings.remove(endpoint);
    trackers.remove(endpoint);
    pingWantedAt.remove(endpoint);
  }

  /**
   * Endpoints that want a ping now, at most {@code most}: suspect ones each second, idle ones each
   * {@code idle}; those that have waited longest for theirs. For the thread of {@link #snapshot},
   * after it; an endpoint that is named counts as pinged.
   */
  public List<E> pings(int most, long now) {
    List<E> wanted =
        readings.entrySet().stream()
            .filter(each -> wantsPing(each.getKey(), each.getValue(), now))
            .map(Map.Entry::getKey)
            // else the first ones of many would take all turns of the others
            .sorted(Comparator.comparingLong(endpoint -> -sincePing(endpoint, now)))
            .limit(most)
            .toList();
    wanted.forEach(endpoint -> pingWantedAt.put(endpoint, now));
    return wanted;
  }

  private boolean wantsPing(E endpoint, Reading reading, long now) {
    if (ranking.isSuspect(endpoint)) {
      return sincePing(endpoint, now) >= SUSPECT_PING_NANOS;
    }
    long idleNanos = rules.idle().toNanos();
    return now - reading.readNanos() >= idleNanos && sincePing(endpoint, now) >= idleNanos;
  }

  private long sincePing(E endpoint, long now) {
    Long before = pingWantedAt.get(endpoint);
    return before == null ? FORGOTTEN_NANOS : now - before;
  }

  /**
   * The round trip that that share of reads does not exceed, of each endpoint, in microseconds; 0
   * where it is unknown.
   */
  public double[] percentilesMicros(double share, long now) {
    return timings.values().stream()
        .mapToDouble(endpoint -> endpoint.percentileMicros(share, now))
        .toArray();
  }

  /** The state of every endpoint, for operators. */
  public List<EndpointState<E>> states(long now) {
    List<EndpointState<E>> states = new ArrayList<>();
    Map<E, Reading> sampled = readings;
    Ranking<E> ranked = ranking;
    List<E> all = List.copyOf(sampled.keySet());
    sampled.forEach(
        (endpoint, reading) -> {
          EndpointTimings of = timings.get(endpoint);
          if (of != null) {
            states.add(
                new EndpointState<>(
                    endpoint,
                    reading,
                    of.waiting(),
                    of.percentileMicros(EndpointState.HEDGE_SHARE, now),
                    ranked.lostShare(endpoint, all),
                    ranked.isSuspect(endpoint)));
          }
        });
    return states;
  }
}
