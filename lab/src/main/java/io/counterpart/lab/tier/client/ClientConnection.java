package io.counterpart.lab.tier.client;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;

/**
 * One connection of a {@link TierClient}: sends its share of the requests and keeps a fixed number
 * of them in flight. Answers that arrive together are replaced by as many requests in one write.
 * Not thread-safe.
 */
final class ClientConnection implements AutoCloseable {
  private static final int FIRST_BYTES = 64 << 10;
  private static final int LINE_BYTES = 64;
  private static final int MICRO = 1000;
  private static final int CONNECT_MILLIS = 5_000;

  /** Time-out of an answer, because a run must end. */
  private static final int ANSWER_MILLIS = 60_000;

  private static final byte[] GET = "get ".getBytes(US_ASCII);
  private static final byte[] SET = "set ".getBytes(US_ASCII);
  private static final byte[] LINE_END = "\r\n".getBytes(US_ASCII);

  private final Socket socket = new Socket();
  private final TierData data;
  private final int depth;
  private final byte[] setMiddle;
  private final ByteBuffer out;
  private final AnswerParser answers = new AnswerParser(FIRST_BYTES);
  private final long[] began;
  private final int[] versions;
  private TierRequests requests = TierRequests.NONE;
  private int sent;
  private int answered;

  /**
   * Connects.
   *
   * @param depth requests under way
   */
  ClientConnection(InetSocketAddress proxy, TierData data, int depth) throws IOException {
    this.data = data;
    this.depth = depth;
    this.began = new long[depth];
    this.versions = new int[depth];
    setMiddle = (" 0 0 " + data.valueBytes() + "\r\n").getBytes(US_ASCII);
    out = ByteBuffer.allocate(depth * (LINE_BYTES + data.valueBytes()));
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(ANSWER_MILLIS);
    socket.connect(proxy, CONNECT_MILLIS);
  }

  /** Takes the outcome of each request. */
  interface Taker {
    /** Takes the outcome of a read: the parser's current answer. */
    void read(int key, AnswerParser answer, long micros);

    /** Takes the outcome of a write: the parser's current answer. */
    void wrote(int key, int version, AnswerParser answer, long micros);
  }

  /** Starts with these requests, none of which is sent yet. */
  void begin(TierRequests share) {
    requests = share;
    sent = 0;
    answered = 0;
  }

  boolean isDone() {
    return answered == requests.count();
  }

  /** Sends as many requests as may be under way. */
  void send() throws IOException {
    int until = Math.min(requests.count(), answered + depth);
    if (sent == until) {
      return;
    }
    int first = sent;
    for (; sent < until; sent++) {
      versions[sent % depth] = put(sent);
    }
    long now = System.nanoTime();
    for (int i = first; i < sent; i++) {
      began[i % depth] = now;
    }
    socket.getOutputStream().write(out.array(), 0, out.position());
    out.clear();
  }

  /**
   * Waits for answers and passes on the complete ones.
   *
   * @return their number
   * @throws IOException if the proxy closes the connection, sends a malformed answer, or none
   *     within a minute
   */
  int receive(Taker taker) throws IOException {
    ByteBuffer room = answers.room();
    int read = socket.getInputStream().read(room.array(), room.position(), room.remaining());
    if (read < 0) {
      throw new EOFException("the proxy closed the connection");
    }
    room.position(room.position() + read);
    long now = System.nanoTime();
    int before = answered;
    while (answered < sent && answers.next(requests.isWrite(answered))) {
      int key = requests.key(answered);
      long micros = (now - began[answered % depth]) / MICRO;
      if (requests.isWrite(answered)) {
        taker.wrote(key, versions[answered % depth], answers, micros);
      } else {
        taker.read(key, answers, micros);
      }
      answered++;
    }
    return answered - before;
  }

  /** Appends a request; the version that it writes, or 0. */
  private int put(int request) {
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

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
