package io.counterpart.cache.control;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/** A client of a proxy's control socket. For use by one thread. */
public final class ControlClient implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofSeconds(10);

  /** Of a question on behalf of another client, which waits for the answer too. */
  private static final Duration FORWARDED_LIMIT = Duration.ofSeconds(7);

  private final SocketChannel channel;
  private final String prefix;
  private final BufferedReader answers;
  private final Duration limit;
  private final Executor deadline;

  private ControlClient(SocketChannel channel, String prefix, Duration limit) {
    this.channel = channel;
    this.prefix = prefix;
    this.limit = limit;
    deadline = CompletableFuture.delayedExecutor(limit.toMillis(), TimeUnit.MILLISECONDS);
    answers = new BufferedReader(new InputStreamReader(Channels.newInputStream(channel), UTF_8));
  }

  /**
   * Connects.
   *
   * @throws IOException if nobody listens there
   * @throws IllegalArgumentException if the path is too long for a socket
   */
  public static ControlClient connect(Path file) throws IOException {
    return new ControlClient(SocketChannel.open(ControlFile.address(file)), "", LIMIT);
  }

  /** The same, for one shard of a tier that has several. */
  public static ControlClient connect(Path file, int shard) throws IOException {
    return new ControlClient(
        SocketChannel.open(ControlFile.address(file)),
        ControlServer.SHARD + shard + " ",
        FORWARDED_LIMIT);
  }

  /**
   * The state of the tier.
   *
   * @throws IOException if there is no answer within ten seconds; of one shard, within seven
   */
  public TierReport report() throws IOException {
    send("status");
    return ReportLines.read(this::reportLine);
  }

  /**
   * Adds or removes servers; returns when that is done. If the caller ends before, the change goes
   * on.
   *
   * @param progress gets an empty report when the change has begun, then its progress
   * @throws IllegalArgumentException if the change is illegal; nothing has changed
   * @throws IllegalStateException if it cannot be made now; nothing has changed
   * @throws ChangeCancelledException if somebody cancels it
   * @throws IOException if it fails, or the proxy ends: the next proxy may continue the change
   */
  public void change(ServerChange change, Consumer<Optional<ChangeReport>> progress)
      throws IOException {
    request(change.toString(), progress);
  }

  /**
   * Ends the change under way before its next wave; returns when it has ended.
   *
   * @param progress as for {@link #change}
   * @throws IllegalStateException if none is under way
   * @throws IOException if the proxy ends meanwhile: the next proxy finishes only a wave that was
   *     under way
   */
  public void cancelChange(Consumer<Optional<ChangeReport>> progress) throws IOException {
    request(ControlServer.CANCEL, progress);
  }

  private void request(String request, Consumer<Optional<ChangeReport>> progress)
      throws IOException {
    send(request);
    for (String line = answer(); !line.equals("done"); line = answer()) {
      String[] words = line.split("\t", 2);
      String rest = words.length == 1 ? "" : words[1];
      switch (words[0]) {
        case "progress" ->
            progress.accept(
                rest.isEmpty()
                    ? Optional.empty()
                    : Optional.of(ReportLines.parse(ChangeReport.class, line)));
        case "refused" -> throw new IllegalArgumentException(rest);
        case "cancelled" -> throw new ChangeCancelledException(rest);
        case "busy" -> throw new IllegalStateException(rest);
        default -> throw new IOException(rest.isEmpty() ? line : rest);
      }
    }
  }

  private void send(String line) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap((prefix + line + "\n").getBytes(UTF_8));
    while (bytes.hasRemaining()) {
      channel.write(bytes);
    }
  }

  private String reportLine() throws IOException {
    String line = answer();
    if (line.startsWith("refused\t")) {
      throw new IOException(line.substring(line.indexOf('\t') + 1));
    }
    return line;
  }

  private String answer() throws IOException {
    AtomicBoolean answered = new AtomicBoolean();
    AtomicBoolean late = new AtomicBoolean();
    deadline.execute(
        () -> {
          if (!answered.get()) {
            late.set(true);
            close();
          }
        });
    try {
      String line = answers.readLine();
      if (line == null) {
        throw new EOFException("the proxy closed its control socket");
      }
      return line;
    } catch (IOException e) {
      throw late.get()
          ? new IOException("the proxy does not answer within " + limit.toSeconds() + " s", e)
          : e;
    } finally {
      answered.set(true);
    }
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot close the control socket", e);
    }
  }
}
