package io.counterpart.memcached;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;

/**
 * Waits until started servers answer; fails at once when one dies. The probe is a request for the
 * version: the cheapest request that only a working server answers.
 */
final class Answers {

  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final int POLL_MILLIS = 5;
  private static final int PROBE_MILLIS = 200;
  private static final byte[] QUESTION = "version\r\n".getBytes(US_ASCII);
  private static final String ANSWER = "VERSION ";

  private Answers() {}

  /**
   * Returns when every server has answered.
   *
   * @throws MemcachedStartException if a process ends or 30 s pass
   */
  static void await(List<MemcachedServer> starting) {
    long deadline = System.nanoTime() + LIMIT.toNanos();
    List<MemcachedServer> silent = new ArrayList<>(starting);
    while (!silent.isEmpty()) {
      silent.removeIf(server -> answers(server.port()));
      // after the question: an answer may have been that of another, which took the port
      for (MemcachedServer server : starting) {
        if (!server.isAlive()) {
          throw server.failed(server.lastWords());
        }
      }
      if (!silent.isEmpty() && System.nanoTime() - deadline > 0) {
        throw silent.get(0).failed("it does not answer after " + LIMIT.toSeconds() + " s");
      }
      pause();
    }
  }

  /** True if the answer comes within a fifth of a second. */
  private static boolean answers(int port) {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(MemcachedSpec.ADDRESS, port), PROBE_MILLIS);
      socket.setSoTimeout(PROBE_MILLIS);
      socket.getOutputStream().write(QUESTION);
      byte[] answer = socket.getInputStream().readNBytes(ANSWER.length());
      return new String(answer, US_ASCII).equals(ANSWER);
    } catch (IOException notYet) {
      return false;
    }
  }

  private static void pause() {
    try {
      Thread.sleep(POLL_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CancellationException("interrupted while waiting for memcached");
    }
  }
}
