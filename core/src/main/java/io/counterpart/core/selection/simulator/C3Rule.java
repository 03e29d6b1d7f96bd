package io.counterpart.core.selection.simulator;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The replica ranking of C3: the least Ψ = R̄ − 1/μ̄ + q̂³/μ̄ with q̂ = 1 + o·w + q̄. R̄ is the
 * mean round trip, 1/μ̄ the mean service time and q̄ the mean queue that answers report, all with
 * weight 0.9 of the past; o are this coordinator's reads that wait, w the number of coordinators.
 *
 * <p>Source: Suresh et al., C3 (NSDI 2015), §3.1. Deviates: without the rate control of §3.2.
 */
final class C3Rule implements ReplicaRule {
  private static final double PAST = 0.9;

  private final int coordinators;
  private final Map<Integer, Server> servers = new HashMap<>();

  /** Means in nanoseconds, and reads that wait. */
  private static final class Server {
    private double roundTrip;
    private double service;
    private double queue;
    private int waiting;
    private boolean known;

    double score(int coordinators) {
      double estimate = 1 + (double) waiting * coordinators + queue;
      return roundTrip - service + estimate * estimate * estimate * service;
    }
  }

  C3Rule(int coordinators) {
    this.coordinators = coordinators;
  }

  @Override
  public int choose(List<Integer> replicas, int rowHash) {
    int best = replicas.get(0);
    double least = Double.MAX_VALUE;
    for (int i = 0; i < replicas.size(); i++) {
      // from another replica for another row, so that ties do not all go to the primary
      int replica = replicas.get((i + rowHash % replicas.size()) % replicas.size());
      double score = server(replica).score(coordinators);
      if (score < least) {
        least = score;
        best = replica;
      }
    }
    return best;
  }

  private Server server(int node) {
    return servers.computeIfAbsent(node, unused -> new Server());
  }

  @Override
  public void sent(int node, long now) {
    server(node).waiting++;
  }

  @Override
  public void answered(ReadAnswer answer, long now) {
    Server server = server(answer.node());
    double past = server.known ? PAST : 0;
    server.known = true;
    server.roundTrip = past * server.roundTrip + (1 - past) * answer.nanos();
    server.service = past * server.service + (1 - past) * answer.serviceNanos();
    server.queue = past * server.queue + (1 - past) * answer.queue();
    if (!answer.local()) {
      server.waiting--;
    }
  }

  @Override
  public void lost(int node, long waitedNanos, long now) {
    Server server = server(node);
    server.roundTrip = PAST * server.roundTrip + (1 - PAST) * waitedNanos;
    server.waiting--;
  }
}
