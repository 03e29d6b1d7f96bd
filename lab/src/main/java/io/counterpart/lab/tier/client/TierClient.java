package io.counterpart.lab.tier.client;

import io.counterpart.lab.workload.VersionLedger;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import org.HdrHistogram.Histogram;

/**
 * A memcached client with a fixed number of requests in flight on each of its connections (closed
 * loop). All requests for a key go over one connection, so they are executed in order. One thread
 * serves the connections in turn, at a low cost, because the client shares the machine with the
 * proxy. Not thread-safe.
 */
public final class TierClient implements AutoCloseable {
  private static final int MAX_CONNECTIONS = 256;
  private static final int MAX_DEPTH = 1024;
  private static final int PROGRESS_STEP = 1 << 14;

  private final TierData data;
  private final ClientWatch watch = new ClientWatch();
  private final List<ClientConnection> connections = new ArrayList<>();

  /**
   * Connects.
   *
   * @param number of connections, 1 to 256
   * @param depth requests under way on each, 1 to 1024
   */
  public TierClient(InetSocketAddress proxy, TierData data, int number, int depth)
      throws IOException {
    check("connections", number, MAX_CONNECTIONS);
    check("depth", depth, MAX_DEPTH);
    this.data = data;
    try {
      for (int i = 0; i < number; i++) {
        connections.add(new ClientConnection(proxy, data, depth));
      }
    } catch (IOException e) {
      close();
      throw e;
    }
  }

  private static void check(String what, int value, int most) {
    if (value < 1 || value > most) {
      throw new IllegalArgumentException("%s %d: must be 1 to %d".formatted(what, value, most));
    }
  }

  /** The answers so far, for another thread. */
  public ClientWatch watch() {
    return watch;
  }

  /**
   * Sends all requests; returns when all are answered.
   *
   * @param taker gets the results of reads
   * @param progress gets the number of answered requests from time to time
   * @throws IOException if the proxy closes a connection, sends a malformed answer, or none within
   *     a minute
   */
  public ClientOutcome run(TierRequests requests, ReadAnswers taker, LongConsumer progress)
      throws IOException {
    List<TierRequests> shares = requests.shares(connections.size());
    for (int i = 0; i < shares.size(); i++) {
      connections.get(i).begin(shares.get(i));
    }
    Outcomes outcomes = new Outcomes(data.ledger(), taker, watch);
    long count = requests.count();
    long answered = 0;
    long start = System.nanoTime();
    for (ClientConnection connection : connections) {
      connection.send();
    }
    while (answered < count) {
      long before = answered;
      for (ClientConnection connection : connections) {
        if (!connection.isDone()) {
          answered += connection.receive(outcomes);
          connection.send();
        }
      }
      if (before / PROGRESS_STEP != answered / PROGRESS_STEP) {
        progress.accept(answered);
      }
    }
    long nanos = System.nanoTime() - start;
    progress.accept(count);
    return new ClientOutcome(
        count - outcomes.failed, outcomes.failed, nanos, outcomes.reads, outcomes.writes);
  }

  @Override
  public void close() throws IOException {
    for (ClientConnection connection : connections) {
      connection.close();
    }
  }

  /** Counts the outcomes. */
  private static final class Outcomes implements ClientConnection.Taker {
    private static final int SIGNIFICANT_DIGITS = 3;

    private final VersionLedger ledger;
    private final ReadAnswers taker;
    private final ClientWatch watch;
    private final Histogram reads = new Histogram(SIGNIFICANT_DIGITS);
    private final Histogram writes = new Histogram(SIGNIFICANT_DIGITS);
    private long failed;

    Outcomes(VersionLedger ledger, ReadAnswers taker, ClientWatch watch) {
      this.ledger = ledger;
      this.taker = taker;
      this.watch = watch;
    }

    @Override
    public void read(int key, AnswerParser answer, long micros) {
      reads.recordValue(micros);
      watch.read(answer.isValue(), micros);
      if (answer.isValue()) {
        taker.value(key, answer.value());
        return;
      }
      failed++;
      if (answer.isEnd()) {
        taker.absent(key);
      } else {
        taker.failed(key, answer.line());
      }
    }

    @Override
    public void wrote(int key, int version, AnswerParser answer, long micros) {
      writes.recordValue(micros);
      watch.wrote(answer.isStored(), micros);
      if (answer.isStored()) {
        ledger.acknowledge(key, version);
      } else {
        failed++;
      }
    }
  }
}
