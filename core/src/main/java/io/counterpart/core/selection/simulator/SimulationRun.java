package io.counterpart.core.selection.simulator;

import io.counterpart.core.selection.SelectionRules;
import io.counterpart.core.selection.simulator.EventQueue.Event;
import io.counterpart.core.selection.simulator.EventQueue.Kind;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * One scenario under one rule. Arrivals, keys, pauses and each node's service times have random
 * numbers of their own, so that rules meet the same ones. Not thread-safe.
 */
final class SimulationRun {
  private static final long TICK = SelectionRules.SNAPSHOT.toNanos();
  private static final long TIME_OUT = Duration.ofSeconds(5).toNanos();
  private static final double SECOND = 1e9;
  private static final int ASKER_SHIFT = 16;

  private final Scenario scenario;
  private final ZipfianKeys keys;
  private final EventQueue events = new EventQueue();
  private final List<SimulatedNode> nodes = new ArrayList<>();
  private final List<List<Integer>> arcs;
  private final SplittableRandom arrivals;
  private final SplittableRandom pauses;
  private final SplittableRandom ofRules;
  private final Deque<SimulatedRead> unanswered = new ArrayDeque<>();
  private final long hop;
  private final long measuredFrom;
  private final long end;
  private List<ReplicaRule> rules = List.of();
  private @Nullable MovedRows movedRows;
  private double[] millis = new double[1_024];
  private int measured;
  private long answeredInTime;

  SimulationRun(Scenario scenario, ZipfianKeys keys, long seed) {
    this.scenario = scenario;
    this.keys = keys;
    SplittableRandom random = new SplittableRandom(seed);
    arrivals = random.split();
    pauses = random.split();
    ofRules = random.split();
    int n = scenario.nodes();
    Scenario.NodeModel model = scenario.node();
    double copies = (double) scenario.load().keys() * scenario.copies() / n;
    for (int i = 0; i < n; i++) {
      nodes.add(
          new SimulatedNode(model, (int) Math.round(copies * model.cachedShare()), random.split()));
    }
    arcs =
        IntStream.range(0, n)
            .mapToObj(
                arc -> IntStream.range(arc, arc + scenario.copies()).mapToObj(i -> i % n).toList())
            .toList();
    hop = Math.round(model.hopMicros() * 1_000);
    measuredFrom = Math.round(scenario.load().seconds() * SECOND / 2);
    end = measuredFrom + Math.round(scenario.load().seconds() * SECOND);
  }

  void simulate(RuleKind kind, SelectionRules constants) {
    int coordinators = scenario.coordinators();
    rules =
        IntStream.range(0, coordinators)
            .mapToObj(i -> kind.at(i, coordinators, constants, ofRules.split()))
            .toList();
    movedRows = new MovedRows(rules, arcs);
    events.add(new Event(0, Kind.ARRIVAL, 0, null));
    events.add(new Event(TICK, Kind.TICK, 0, null));
    if (scenario.trouble().pauseEverySeconds() > 0) {
      IntStream.range(0, nodes.size()).forEach(node -> schedulePause(node, 0));
    }
    Event event = events.poll();
    while (event.at() < end) {
      handle(event);
      event = events.poll();
    }
    unanswered.stream()
        .filter(read -> !read.answered && read.sentAt >= measuredFrom)
        .forEach(read -> measure(read, end));
  }

  private void handle(Event event) {
    long now = event.at();
    switch (event.kind()) {
      case ARRIVAL -> arrive(now);
      case AT_NODE -> serve(read(event), nodes.get(event.node()).arrive(read(event), now));
      case SERVED -> served(event, now);
      case ANSWER -> answer(read(event), now);
      case PING_ANSWER ->
          rules
              .get(event.node() >> ASKER_SHIFT)
              .lives(event.node() & ((1 << ASKER_SHIFT) - 1), now);
      case PAUSE -> pause(event.node(), now);
      case TICK -> tick(now);
    }
  }

  private static SimulatedRead read(Event event) {
    if (event.read() == null) {
      throw new IllegalStateException(event.kind() + " has no read");
    }
    return event.read();
  }

  private void arrive(long now) {
    int key = keys.draw(arrivals);
    List<Integer> replicas = arcs.get(key % nodes.size());
    int coordinator =
        switch (scenario.load().clients()) {
          case ANY -> arrivals.nextInt(rules.size());
          case REPLICA -> replicas.get(arrivals.nextInt(replicas.size()));
          case PRIMARY -> replicas.get(0);
        };
    double gap = Exponential.draw(arrivals) / scenario.load().ratePerSecond();
    events.add(new Event(now + 1 + Math.round(gap * SECOND), Kind.ARRIVAL, 0, null));
    ReplicaRule rule = rules.get(coordinator);
    int replica = rule.choose(replicas, ZipfianKeys.rowHash(key));
    SimulatedRead read = new SimulatedRead(key, coordinator, replica, now);
    if (!read.isLocal()) {
      rule.sent(replica, now);
    }
    unanswered.add(read);
    events.add(new Event(now + (read.isLocal() ? 0 : hop), Kind.AT_NODE, replica, read));
  }

  private void serve(SimulatedRead read, long servedAt) {
    if (servedAt >= 0) {
      events.add(new Event(servedAt, Kind.SERVED, read.replica, read));
    }
  }

  private void served(Event event, long now) {
    SimulatedNode node = nodes.get(event.node());
    if (now < node.pausedUntil()) {
      events.add(new Event(node.pausedUntil(), Kind.SERVED, event.node(), event.read()));
      return;
    }
    SimulatedRead read = read(event);
    events.add(new Event(now + (read.isLocal() ? 0 : hop), Kind.ANSWER, event.node(), read));
    SimulatedRead next = node.served();
    if (next != null) {
      serve(next, node.start(next, now));
    }
  }

  private void answer(SimulatedRead read, long now) {
    if (read.answered) {
      return;
    }
    read.answered = true;
    rules
        .get(read.coordinator)
        .answered(
            new ReplicaRule.ReadAnswer(
                read.replica,
                read.isLocal(),
                now - read.sentAt,
                nodes.get(read.replica).inside(),
                read.serviceNanos),
            now);
    measure(read, now);
    answeredInTime += read.sentAt >= measuredFrom ? 1 : 0;
  }

  private void measure(SimulatedRead read, long now) {
    if (read.sentAt >= measuredFrom) {
      if (measured == millis.length) {
        millis = Arrays.copyOf(millis, 2 * measured);
      }
      millis[measured++] = (now - read.sentAt) / 1e6;
    }
  }

  private void tick(long now) {
    events.add(new Event(now + TICK, Kind.TICK, 0, null));
    SimulatedRead oldest = unanswered.peek();
    while (oldest != null && (oldest.answered || now - oldest.sentAt >= TIME_OUT)) {
      unanswered.remove();
      if (!oldest.answered) {
        oldest.answered = true;
        if (!oldest.isLocal()) {
          rules.get(oldest.coordinator).lost(oldest.replica, TIME_OUT, now);
        }
        measure(oldest, now);
      }
      oldest = unanswered.peek();
    }
    for (int i = 0; i < rules.size(); i++) {
      SimulatedNode own = nodes.get(i);
      if (now >= own.pausedUntil()) {
        rules.get(i).own(own.queued(), own.ended(), now);
      }
      ping(i, rules.get(i).tick(now), now);
    }
    if (now > measuredFrom && movedRows != null) {
      movedRows.tick();
    }
    if (now >= measuredFrom && now - TICK < measuredFrom) {
      beginToMeasure();
    }
  }

  private void ping(int asker, List<Integer> asked, long now) {
    for (int node : asked) {
      long answered = Math.max(now + hop, nodes.get(node).pausedUntil()) + hop;
      events.add(new Event(answered, Kind.PING_ANSWER, asker << ASKER_SHIFT | node, null));
    }
  }

  private void beginToMeasure() {
    nodes.forEach(SimulatedNode::forgetCounts);
    int slow = scenario.trouble().slowNodes();
    nodes
        .subList(nodes.size() - slow, nodes.size())
        .forEach(node -> node.slow(scenario.trouble().slowFactor()));
  }

  private void schedulePause(int node, long now) {
    double wait = Exponential.draw(pauses) * scenario.trouble().pauseEverySeconds();
    events.add(new Event(now + Math.round(wait * SECOND), Kind.PAUSE, node, null));
  }

  private void pause(int node, long now) {
    double length = Exponential.draw(pauses) * scenario.trouble().pauseMillis() / 1e3;
    long until = now + Math.round(length * SECOND);
    nodes.get(node).pauseUntil(until);
    schedulePause(node, until);
  }

  double[] latencyMillis() {
    return Arrays.copyOf(millis, measured);
  }

  double answeredPerSecond() {
    return answeredInTime / (double) scenario.load().seconds();
  }

  double hitShare() {
    long hits = nodes.stream().mapToLong(SimulatedNode::hits).sum();
    return (double) hits / Math.max(1, nodes.stream().mapToLong(SimulatedNode::reads).sum());
  }

  double switchesPerMinute() {
    return movedRows == null ? 0 : movedRows.perMinute(TICK / SECOND);
  }

  double busiestShare() {
    long most = nodes.stream().mapToLong(SimulatedNode::reads).max().orElse(0);
    double mean = nodes.stream().mapToLong(SimulatedNode::reads).average().orElse(0);
    return mean == 0 ? 0 : most / mean;
  }
}
