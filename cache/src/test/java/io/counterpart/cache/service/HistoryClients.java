package io.counterpart.cache.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.cache.backend.ServerAddress;
import io.counterpart.cache.service.KeyHistory.Read;
import io.counterpart.cache.service.KeyHistory.Write;
import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Clients that write and read the same keys at random, each through one proxy, one operation at a
 * time.
 */
final class HistoryClients implements AutoCloseable {
  private static final int TIMEOUT_MILLIS = 30_000;

  /** Time after which a client gives up a machine that may be cut off. */
  private static final int REMOTE_TIMEOUT_MILLIS = 20_000;

  /** After each operation: proxies that take over need the processors too. */
  private static final long PAUSE_NANOS = 3_000_000;

  private final KeyHistory history;
  private final int keys;
  private final @Nullable MachineSecurity security;
  private final List<Thread> threads = new ArrayList<>();
  private final AtomicLong uncertain = new AtomicLong();
  private final List<Throwable> failures = new CopyOnWriteArrayList<>();
  private final Map<String, Long> answeredNanos = new ConcurrentHashMap<>();
  private volatile boolean ended;

  HistoryClients(KeyHistory history, int keys) {
    this(history, keys, null);
  }

  /**
   * @param security of proxies on other machines; null for loopback
   */
  HistoryClients(KeyHistory history, int keys, @Nullable MachineSecurity security) {
    this.history = history;
    this.keys = keys;
    this.security = security;
  }

  /** Starts a client. */
  void begin(ServerAddress proxy, String name, Random random) {
    Thread thread = new Thread(() -> run(proxy, name, random), name);
    thread.setUncaughtExceptionHandler((failed, why) -> failures.add(why));
    thread.start();
    threads.add(thread);
  }

  /** The clients that have had no answer since a time. */
  List<String> unansweredSince(long nanos) {
    return threads.stream()
        .map(Thread::getName)
        .filter(name -> answeredNanos.getOrDefault(name, Long.MIN_VALUE) < nanos)
        .toList();
  }

  private void run(ServerAddress proxy, String name, Random random) {
    int number = 0;
    while (!ended) {
      try (Connection connection = new Connection(proxy, security)) {
        while (!ended) {
          number++;
          String key = "key-" + random.nextInt(keys);
          if (random.nextInt(3) == 0) {
            read(connection, key);
          } else {
            write(connection, key, name + "-" + number + "-" + "x".repeat(random.nextInt(300)));
          }
          answeredNanos.put(name, System.nanoTime());
          LockSupport.parkNanos(PAUSE_NANOS);
        }
      } catch (IOException e) {
        pause();
      }
    }
  }

  private void write(Connection connection, String key, String value) throws IOException {
    long begin = System.nanoTime();
    boolean told = false;
    boolean acknowledged = false;
    try {
      String answer =
          connection.ask("set %s 0 0 %d\r\n%s\r\n".formatted(key, value.length(), value));
      told = true;
      acknowledged = answer.equals("STORED");
      if (!acknowledged) {
        uncertain.incrementAndGet();
        if (!answer.equals("SERVER_ERROR too many servers are down")) {
          throw new AssertionError("set is answered by " + answer);
        }
      }
    } finally {
      long end = told ? System.nanoTime() : Long.MAX_VALUE;
      history.wrote(key, new Write(begin, end, value, acknowledged));
    }
  }

  private void read(Connection connection, String key) throws IOException {
    long begin = System.nanoTime();
    String answer = connection.ask("get " + key + "\r\n");
    if (answer.startsWith("SERVER_ERROR")) {
      uncertain.incrementAndGet();
      return;
    }
    String value = "";
    if (answer.startsWith("VALUE ")) {
      value = connection.line();
      connection.line();
    }
    history.read(key, new Read(begin, System.nanoTime(), value));
  }

  /** Reads every key through a proxy, once. */
  void readAll(ServerAddress proxy) throws IOException {
    try (Connection connection = new Connection(proxy, security)) {
      for (int i = 0; i < keys; i++) {
        read(connection, "key-" + i);
      }
    }
  }

  /** The same; whether all were answered. A proxy that has just begun to follow may refuse some. */
  boolean readsAll(ServerAddress proxy) {
    long before = history.reads();
    try {
      readAll(proxy);
    } catch (IOException e) {
      return false;
    }
    return history.reads() == before + keys;
  }

  /** Writes keys of their own once, or reads them, each on a connection of its own. */
  void each(ServerAddress proxy, String prefix, @Nullable String value) throws IOException {
    for (int i = 0; i < keys; i++) {
      try (Connection connection = new Connection(proxy, security)) {
        if (value == null) {
          read(connection, prefix + i);
        } else {
          write(connection, prefix + i, value);
        }
      }
    }
  }

  /** Number of operations that the client was told to be uncertain. */
  long uncertain() {
    return uncertain.get();
  }

  private static void pause() {
    try {
      Thread.sleep(20);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Ends the clients. */
  @Override
  public void close() throws InterruptedException {
    ended = true;
    for (Thread thread : threads) {
      thread.join(2 * TIMEOUT_MILLIS);
    }
    assertThat(threads).as("clients that do not end").noneMatch(Thread::isAlive);
    assertThat(failures).isEmpty();
  }

  private static final class Connection implements AutoCloseable {
    private final Socket socket;
    private final BufferedReader answers;

    Connection(ServerAddress proxy, @Nullable MachineSecurity security) throws IOException {
      Socket plain = new Socket();
      int timeoutMillis = security == null ? TIMEOUT_MILLIS : REMOTE_TIMEOUT_MILLIS;
      try {
        plain.connect(new InetSocketAddress(proxy.host(), proxy.port()), timeoutMillis);
        plain.setTcpNoDelay(true);
        plain.setSoTimeout(timeoutMillis);
        socket = security == null ? plain : security.secure(plain);
        answers =
            new BufferedReader(
                new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
        if (security != null) {
          authenticate(security);
        }
      } catch (IOException e) {
        plain.close();
        throw e;
      }
    }

    private void authenticate(MachineSecurity security) throws IOException {
      socket.getOutputStream().write(security.command());
      assertThat(line()).isEqualTo("STORED");
    }

    String ask(String request) throws IOException {
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      return line();
    }

    String line() throws IOException {
      String line = answers.readLine();
      if (line == null) {
        throw new EOFException("the proxy closed the connection");
      }
      return line;
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }
}
