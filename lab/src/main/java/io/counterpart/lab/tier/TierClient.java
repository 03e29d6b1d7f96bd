package io.counterpart.lab.tier;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.function.LongConsumer;
import org.HdrHistogram.Histogram;

/**
 * A memcached client of one connection that keeps a fixed number of requests under way (closed
 * loop): answers that have come together are replaced by as many requests in one write. Made to
 * cost little beside the proxy, with which it shares the machine. Not thread-safe.
 */
final class TierClient implements AutoCloseable {
  private static final int MAX_DEPTH = 1024;
  private static final int FIRST_BYTES = 64 << 10;
  private static final int LINE_BYTES = 64;
  private static final int SIGNIFICANT_DIGITS = 3;
  private static final int MICRO = 1000;
  private static final int CONNECT_MILLIS = 5_000;

  /** An answer that takes longer is none: a run must end. */
  private static final int ANSWER_MILLIS = 60_000;

  private static final int PROGRESS_STEP = 1 << 14;
  private static final byte[] GET = "get ".getBytes(US_ASCII);
  private static final byte[] SET = "set ".getBytes(US_ASCII);
  private static final byte[] LINE_END = "\r\n".getBytes(US_ASCII);

  private final Socket socket = new Socket();
  private final TierData data;
  private final int depth;
  private final byte[] setMiddle;
  private final ByteBuffer out;
  private final AnswerParser answers = new AnswerParser(FIRST_BYTES);

  /**
   * Connects.
   *
   * @param depth requests under way, 1 to 1024
   */
  TierClient(InetSocketAddress proxy, TierData data, int depth) throws IOException {
    if (depth < 1 || depth > MAX_DEPTH) {
      throw new IllegalArgumentException("depth %d: must be 1 to %d".formatted(depth, MAX_DEPTH));
    }
    this.data = data;
    this.depth = depth;
    setMiddle = (" 0 0 " + data.valueBytes() + "\r\n").getBytes(US_ASCII);
    out = ByteBuffer.allocate(depth * (LINE_BYTES + data.valueBytes()));
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(ANSWER_MILLIS);
    socket.connect(proxy, CONNECT_MILLIS);
  }

  /**
   * Sends all requests; returns when all are answered.
   *
   * @param taker gets what reads find
   * @param progress told the requests answered so far, now and then
   * @throws IOException if the proxy closes the connection, answers what is no answer, or not
   *     within a minute
   */
  ClientOutcome run(TierRequests requests, ReadAnswers taker, LongConsumer progress)
      throws IOException {
    Histogram reads = new Histogram(SIGNIFICANT_DIGITS);
    Histogram writes = new Histogram(SIGNIFICANT_DIGITS);
    long[] began = new long[depth];
    int[] versions = new int[depth];
    int count = requests.count();
    int sent = 0;
    int answered = 0;
    long failed = 0;
    long start = System.nanoTime();
    while (answered < count) {
      int until = Math.min(count, answered + depth);
      if (sent < until) {
        int first = sent;
        for (; sent < until; sent++) {
          versions[sent % depth] = put(requests, sent);
        }
        long now = System.nanoTime();
        for (int i = first; i < sent; i++) {
          began[i % depth] = now;
        }
        flush();
      }
      receive();
      long now = System.nanoTime();
      int before = answered;
      while (answered < sent && answers.next(requests.isWrite(answered))) {
        int key = requests.key(answered);
        long micros = (now - began[answered % depth]) / MICRO;
        if (requests.isWrite(answered)) {
          writes.recordValue(micros);
          failed += written(key, versions[answered % depth]);
        } else {
          reads.recordValue(micros);
          failed += found(key, taker);
        }
        answered++;
      }
      if (before / PROGRESS_STEP != answered / PROGRESS_STEP) {
        progress.accept(answered);
      }
    }
    long nanos = System.nanoTime() - start;
    progress.accept(count);
    return new ClientOutcome(count - failed, failed, nanos, reads, writes);
  }

  private int written(int key, int version) {
    if (!answers.isStored()) {
      return 1;
    }
    data.ledger().acknowledge(key, version);
    return 0;
  }

  private int found(int key, ReadAnswers taker) {
    if (answers.isValue()) {
      taker.value(key, answers.value());
      return 0;
    }
    if (answers.isEnd()) {
      taker.absent(key);
    } else {
      taker.failed(key, answers.line());
    }
    return 1;
  }

  /** Appends a request; the version that it writes, or 0. */
  private int put(TierRequests requests, int request) {
    int key = requests.key(request);
    if (!requests.isWrite(request)) {
      out.put(GET);
      TierData.writeKey(key, out);
      out.put(LINE_END);
      return 0;
    }
    int version = data.ledger().issue(key);
    out.put(SET);
    TierData.writeKey(key, out);
    out.put(setMiddle).put(data.codec().encode(key, version)).put(LINE_END);
    return version;
  }

  private void flush() throws IOException {
    socket.getOutputStream().write(out.array(), 0, out.position());
    out.clear();
  }

  private void receive() throws IOException {
    ByteBuffer room = answers.room();
    int read = socket.getInputStream().read(room.array(), room.position(), room.remaining());
    if (read < 0) {
      throw new EOFException("the proxy closed the connection");
    }
    room.position(room.position() + read);
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
