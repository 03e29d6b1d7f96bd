package io.counterpart.cache.objects;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/** Foreign items of all sizes that fill servers' memory. */
final class StrangeItems {
  private static final int LARGEST_BYTES = 500_000;
  static final int SMALLEST_BYTES = 40;
  private static final int BATCH_BYTES = 250_000;
  private static final int DELETED_AT_ONCE = 2000;

  private final CodedServers servers;
  private final int[] numbers;

  /** Upper bound on the number of items of a length that a server was sent. */
  private final Map<Integer, Integer> sent = new TreeMap<>();

  /** Batches of {@link #takeWhatIsFree} that found no memory. */
  private final AtomicInteger inVain = new AtomicInteger();

  /** Items on all servers. */
  StrangeItems(CodedServers servers) {
    this(servers, IntStream.range(0, servers.count()).toArray());
  }

  /** Items on some servers. */
  StrangeItems(CodedServers servers, int... numbers) {
    this.servers = servers;
    this.numbers = numbers;
  }

  void fill() {
    fill(SMALLEST_BYTES);
  }

  /** Fills memory, but leaves the chunks of items shorter than this. */
  void fill(int leastBytes) {
    for (int server : numbers) {
      // steps less than those of memcached's classes
      for (int length = LARGEST_BYTES; length > leastBytes; length = length * 5 / 6) {
        int next = 0;
        while (sendSome(server, length, next)) {
          next += batch(length);
        }
      }
    }
  }

  private static int batch(int length) {
    return Math.max(2, BATCH_BYTES / length);
  }

  private boolean sendSome(int server, int length, int from) {
    String rest = " " + length + "\r\n" + "x".repeat(length) + "\r\n";
    StringBuilder commands = new StringBuilder();
    for (int i = from; i < from + batch(length); i++) {
      commands.append("ms ").append(key(length, i)).append(rest);
    }
    synchronized (sent) {
      sent.merge(length, from + batch(length), Math::max);
    }
    return answers(server, commands.toString()).contains("HD");
  }

  /**
   * Takes every chunk for items of a length that becomes free while a body runs, at once: each
   * server keeps a thread busy.
   */
  void takeWhatIsFree(int length, Runnable body) throws InterruptedException {
    takeWhatIsFree(length, Duration.ZERO, body);
  }

  /**
   * As {@link #takeWhatIsFree(int, Runnable)}.
   *
   * @param pause after each look that found nothing
   */
  void takeWhatIsFree(int length, Duration pause, Runnable body) throws InterruptedException {
    AtomicBoolean ended = new AtomicBoolean();
    int first = firstUnused(length);
    List<Thread> threads = new ArrayList<>();
    for (int server : numbers) {
      Thread thread =
          new Thread(
              () -> {
                for (int from = first; !ended.get(); ) {
                  if (sendSome(server, length, from)) {
                    from += batch(length);
                  } else {
                    inVain.incrementAndGet();
                    LockSupport.parkNanos(pause.toNanos());
                  }
                }
              });
      threads.add(thread);
      thread.start();
    }
    try {
      body.run();
    } finally {
      ended.set(true);
      for (Thread thread : threads) {
        thread.join();
      }
    }
  }

  /** Returns when nothing is free that was so at the call, while a single server is filled. */
  void awaitNothingFree() {
    int before = inVain.get();
    // the first of these may have been under way
    await("nothing is free")
        .pollInterval(Duration.ofMillis(1))
        .until(() -> inVain.get() >= before + 2);
  }

  /** A refused item takes along the one before under its key. */
  private int firstUnused(int length) {
    synchronized (sent) {
      return sent.getOrDefault(length, 0);
    }
  }

  void delete() {
    for (int server : numbers) {
      for (Map.Entry<Integer, Integer> of : sent.entrySet()) {
        for (int from = 0; from < of.getValue(); from += DELETED_AT_ONCE) {
          StringBuilder commands = new StringBuilder();
          for (int i = from; i < Math.min(of.getValue(), from + DELETED_AT_ONCE); i++) {
            commands.append("md %s\r\n".formatted(key(of.getKey(), i)));
          }
          answers(server, commands.toString());
        }
      }
    }
  }

  private static String key(int length, int i) {
    return "strange-" + length + "-" + i;
  }

  private String answers(int server, String commands) {
    return new String(servers.answers(server, commands.getBytes(US_ASCII)), US_ASCII);
  }
}
