package io.counterpart.cassandra.locator;

import io.counterpart.cassandra.locator.OutstandingReads.Sent;
import io.counterpart.cassandra.report.ReplicaReport;
import io.counterpart.core.selection.EndpointState;
import io.counterpart.core.selection.Ranking;
import io.counterpart.core.selection.ReplicaSelection;
import io.counterpart.core.selection.SelectionRules;
import io.counterpart.core.selection.Switch;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.LongSupplier;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.jspecify.annotations.Nullable;

/**
 * What this process knows of the reads that it coordinates: the outstanding ones, and a selection
 * for points and one for ranges. It has no thread and no socket of its own: {@link ReadMessages}
 * brings the messages, {@link SelectionClock} the time. Thread-safe.
 */
final class CoordinatorReads {
  private static final double NANOS_A_SECOND = 1e9;

  private final LongSupplier nanoClock;
  private final OutstandingReads outstanding = new OutstandingReads();
  private final RangeReadMarks ranges = new RangeReadMarks();
  private final OfKind points;
  private final OfKind scans;

  /** A selection and its last switches. */
  private record OfKind(ReplicaSelection<InetAddressAndPort> selection, SwitchLog switches) {
    OfKind(SelectionRules rules) {
      this(new ReplicaSelection<>(rules), new SwitchLog());
    }
  }

  /**
   * Starts without timings.
   *
   * @param nanoClock monotonic, nanoseconds
   */
  CoordinatorReads(SelectionRules rules, LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
    this.points = new OfKind(rules);
    this.scans = new OfKind(rules);
  }

  private OfKind of(ReadKind kind) {
    return kind == ReadKind.POINT ? points : scans;
  }

  private ReplicaSelection<InetAddressAndPort> selection(ReadKind kind) {
    return of(kind).selection();
  }

  /** A request left that is given up after so long. */
  void sent(ReadKind kind, long id, InetAddressAndPort endpoint, long timeOutNanos) {
    long now = nanoClock.getAsLong();
    if (outstanding.add(id, new Sent(kind, endpoint, now, now + timeOutNanos))) {
      selection(kind).sent(endpoint, now);
    }
  }

  /** An answer or a failure came in; of anything but a followed read, it means nothing. */
  void answered(long id, InetAddressAndPort endpoint, boolean failure) {
    Sent sent = outstanding.answered(id, endpoint);
    if (sent == null) {
      return;
    }
    long now = nanoClock.getAsLong();
    long roundTripNanos = now - sent.atNanos();
    if (failure) {
      selection(sent.kind()).failed(endpoint, roundTripNanos, now);
    } else {
      selection(sent.kind()).answered(endpoint, roundTripNanos, now);
    }
  }

  /** A request reads a range; {@code request} is the object that it carries through all threads. */
  void plansRange(Object request) {
    ranges.mark(request);
  }

  /** The coordinator read its own copy for a request. */
  void readLocally(Object request, InetAddressAndPort self, long nanos) {
    ReadKind kind = ranges.isMarked(request) ? ReadKind.RANGE : ReadKind.POINT;
    selection(kind).timed(self, nanos, nanoClock.getAsLong());
  }

  /** The node's own reads, whoever coordinates them: those without a thread, and ended ones. */
  void own(InetAddressAndPort self, int queued, long ended) {
    long now = nanoClock.getAsLong();
    points.selection().own(self, queued, ended, now);
    scans.selection().own(self, queued, ended, now);
  }

  void lives(InetAddressAndPort endpoint) {
    long now = nanoClock.getAsLong();
    points.selection().lives(endpoint, now);
    scans.selection().lives(endpoint, now);
  }

  Ranking<InetAddressAndPort> ranking(ReadKind kind) {
    return selection(kind).ranking();
  }

  /** Gives up expired reads and takes a snapshot; one thread calls it. Returns nodes to ping. */
  Collection<InetAddressAndPort> snapshot(int mostPings) {
    long now = nanoClock.getAsLong();
    for (Sent lost : outstanding.expired(now)) {
      selection(lost.kind()).lost(lost.endpoint(), now - lost.atNanos(), now);
    }
    Set<InetAddressAndPort> pings = new LinkedHashSet<>();
    for (ReadKind kind : ReadKind.values()) {
      selection(kind).snapshot(now).forEach(of(kind).switches()::add);
      pings.addAll(selection(kind).pings(mostPings - pings.size(), now));
    }
    return pings;
  }

  /** The time after which a read of a point is late; empty if unknown. */
  OptionalLong usualMicros() {
    return HedgedReads.middleMicros(
        points.selection().percentilesMicros(EndpointState.HEDGE_SHARE, nanoClock.getAsLong()));
  }

  int outstanding() {
    return outstanding.size();
  }

  List<ReplicaReport> reports() {
    long now = nanoClock.getAsLong();
    List<ReplicaReport> reports = new ArrayList<>();
    for (ReadKind kind : ReadKind.values()) {
      for (EndpointState<InetAddressAndPort> state : selection(kind).states(now)) {
        reports.add(report(state, kind, lines(of(kind).switches(), state.endpoint(), now)));
      }
    }
    return reports;
  }

  private static List<String> lines(SwitchLog log, InetAddressAndPort endpoint, long now) {
    return log.last(endpoint).stream().map(change -> line(change, now)).toList();
  }

  private static String line(Switch<InetAddressAndPort> change, long now) {
    return String.format(
        Locale.ROOT,
        "%.1f s ago: %.1f to %.1f ms: %s",
        (now - change.atNanos()) / NANOS_A_SECOND,
        change.fromMicros() / 1_000,
        change.toMicros() / 1_000,
        change.reason().text());
  }

  private static ReplicaReport report(
      EndpointState<InetAddressAndPort> state, ReadKind kind, List<String> lines) {
    @Nullable Double mean =
        state.meanMicros().isPresent() ? state.meanMicros().getAsDouble() : null;
    return new ReplicaReport(
        state.endpoint().getHostAddressAndPort(),
        kind.label(),
        state.state(),
        new ReplicaReport.Score(
            state.scoreMicros(), mean, state.leastMicros(), state.waiting(), state.hedgeMicros()),
        state.lostShare(),
        lines);
  }
}
