package io.counterpart.cache.control;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.attribute.PosixFilePermission.OWNER_READ;
import static java.nio.file.attribute.PosixFilePermission.OWNER_WRITE;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.net.SocketException;
import java.net.StandardProtocolFamily;
import java.nio.channels.Channels;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves operators' commands on a unix-domain socket that only the process' own user may open. Each
 * command has its own thread, so no client's request waits for it. Thread-safe.
 */
public final class ControlServer implements AutoCloseable {
  private static final Logger logger = LoggerFactory.getLogger(ControlServer.class);
  static final String CANCEL = "cancel";

  /** Begins a request to one shard of several; its number and a space follow. */
  static final String SHARD = "shard ";

  private static final String PROGRESS = "progress";
  private static final int PROGRESS_MILLIS = 200;

  /** After a failed accept, which would else fail again at once. */
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final Path file;
  private final ServerSocketChannel listener;
  private final Controlled controlled;
  private final Set<SocketChannel> clients = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  private ControlServer(Path file, ServerSocketChannel listener, Controlled controlled) {
    this.file = file;
    this.listener = listener;
    this.controlled = controlled;
  }

  /**
   * Begins to listen. The socket of a killed process is replaced.
   *
   * @throws IOException if the socket is another process', or cannot be made
   * @throws IllegalArgumentException if the path is too long for a socket
   */
  public static ControlServer listen(Path file, Controlled controlled) throws IOException {
    ControlFile.requireLegal(file);
    ServerSocketChannel listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    try {
      removeLeftOver(file);
      listener.bind(ControlFile.address(file));
      Files.setPosixFilePermissions(file, Set.of(OWNER_READ, OWNER_WRITE));
    } catch (IOException e) {
      listener.close();
      throw new IOException("cannot listen on %s: %s".formatted(file, e.getMessage()), e);
    }
    ControlServer server = new ControlServer(file, listener, controlled);
    start("cache-control", server::accept);
    return server;
  }

  private static void removeLeftOver(Path file) throws IOException {
    if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    if (!Files.readAttributes(file, BasicFileAttributes.class).isOther()) {
      throw new IOException("a file is there that is no socket");
    }
    if (isAnswered(file)) {
      throw new IOException("another proxy listens there");
    }
    Files.delete(file);
  }

  private static boolean isAnswered(Path file) throws IOException {
    try (SocketChannel other = SocketChannel.open(ControlFile.address(file))) {
      return other.isConnected();
    } catch (SocketException nobodyListens) {
      return false;
    }
  }

  static void start(String name, Runnable body) {
    Thread thread = new Thread(body, name);
    thread.setDaemon(true);
    thread.start();
  }

  private void accept() {
    while (true) {
      try {
        SocketChannel client = listener.accept();
        clients.add(client);
        start("cache-control-client", () -> serve(client));
        if (closed) {
          client.close();
        }
      } catch (ClosedChannelException e) {
        logger.debug("no more commands are taken");
        return;
      } catch (IOException e) {
        logger.warn("a command on {} could not be taken, as without free descriptors", file, e);
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }
  }

  private void serve(SocketChannel client) {
    try (client;
        BufferedReader requests =
            new BufferedReader(new InputStreamReader(Channels.newInputStream(client), UTF_8));
        Writer answers = new OutputStreamWriter(Channels.newOutputStream(client), UTF_8)) {
      for (String line = requests.readLine(); line != null; line = requests.readLine()) {
        answerAny(line, answers);
      }
    } catch (IOException e) {
      logger.debug("a command's connection has ended", e);
    } finally {
      clients.remove(client);
    }
  }

  private void answerAny(String request, Writer answers) throws IOException {
    try {
      if (!request.startsWith(SHARD)) {
        answer(request, controlled, answers);
        return;
      }
      String[] words = request.substring(SHARD.length()).split(" ", 2);
      Controlled shard = controlled.shard(number(words[0]));
      answer(words.length == 1 ? "" : words[1], shard, answers);
    } catch (IllegalArgumentException e) {
      say(answers, "refused", e);
    }
  }

  private static int number(String word) {
    try {
      return Integer.parseInt(word);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("shard '%s', legal: a number".formatted(word), e);
    }
  }

  /** Answers a request to the tier, or to one of its shards. */
  private void answer(String request, Controlled asked, Writer answers) throws IOException {
    if (request.equals("status")) {
      answers.write(String.join("\n", ReportLines.of(asked.report())) + "\n");
      answers.flush();
      return;
    }
    if (request.equals(CANCEL)) {
      logger.info("asked to cancel the change of servers");
      await(asked.cancelChange(), asked, answers);
      return;
    }
    ServerChange change = ServerChange.parse(request);
    logger.info("asked to {}", change);
    await(asked.change(change), asked, answers);
  }

  private void await(CompletableFuture<Void> end, Controlled asked, Writer answers)
      throws IOException {
    // a report may take as long as the request perhaps has: a shard's owner stands still
    String told = PROGRESS;
    while (true) {
      try {
        end.get(PROGRESS_MILLIS, TimeUnit.MILLISECONDS);
        say(answers, "done");
        return;
      } catch (TimeoutException goesOn) {
        say(answers, told);
        told = progress(asked);
      } catch (ExecutionException e) {
        Throwable why = e.getCause() == null ? e : e.getCause();
        say(answers, verdict(why), why);
        return;
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted", e);
      }
    }
  }

  private static String progress(Controlled asked) {
    try {
      ChangeReport change = asked.report().change();
      return change == null ? PROGRESS : ReportLines.line(PROGRESS, change);
    } catch (IOException busy) {
      logger.debug("no progress can be told now", busy);
      return PROGRESS;
    }
  }

  private static String verdict(Throwable why) {
    if (why instanceof IllegalArgumentException) {
      return "refused";
    }
    if (why instanceof ChangeCancelledException) {
      return "cancelled";
    }
    return why instanceof IllegalStateException ? "busy" : "failed";
  }

  private static void say(Writer answers, String verdict, Throwable why) throws IOException {
    say(answers, verdict + "\t" + String.valueOf(why.getMessage()).replaceAll("\\s+", " "));
  }

  private static void say(Writer answers, String line) throws IOException {
    answers.write(line + "\n");
    answers.flush();
  }

  /** Stops listening and ends every connection; changes that have begun go on. */
  @Override
  public void close() {
    closed = true;
    try {
      listener.close();
      for (SocketChannel client : clients) {
        client.close();
      }
      Files.deleteIfExists(file);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot close " + file, e);
    }
  }
}
