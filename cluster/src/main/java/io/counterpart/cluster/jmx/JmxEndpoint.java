package io.counterpart.cluster.jmx;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The JMX address of a node that somebody else runs.
 *
 * @param host name or address
 * @param port 1 to 65535
 * @param login null where JMX asks for none
 * @param tls whether it is encrypted, its registry too, as Cassandra does it; who is trusted is up
 *     to {@link javax.net.ssl.SSLContext#getDefault()}
 */
public record JmxEndpoint(String host, int port, @Nullable Login login, boolean tls) {
  /** Checks the port. */
  public JmxEndpoint {
    if (port < 1 || port > 65_535) {
      throw new IllegalArgumentException("JMX port %d: must be 1 to 65535".formatted(port));
    }
  }

  /** One that is not encrypted. */
  public JmxEndpoint(String host, int port, @Nullable Login login) {
    this(host, port, login, false);
  }

  /**
   * Connects, but does not wait longer than told: what leads nowhere would else keep a caller for
   * minutes, and JMX has no limit of its own.
   *
   * @throws IOException if nothing answers in time, or the login is refused
   */
  public NodeJmx connect(Duration limit) throws IOException {
    FutureTask<NodeJmx> attempt = new FutureTask<>(() -> NodeJmx.connect(this));
    Thread thread = new Thread(attempt, "jmx-connect");
    thread.setDaemon(true);
    thread.start();
    try {
      return attempt.get(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      attempt.cancel(true);
      throw new IOException("no answer within %d s".formatted(limit.toSeconds()), e);
    } catch (ExecutionException e) {
      throw new IOException(reason(e), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CancellationException("interrupted while connecting to " + this);
    }
  }

  /** The first line of the innermost cause: what is around it names classes. */
  private static String reason(Throwable failure) {
    Throwable cause = failure;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    String text = String.valueOf(cause.getMessage());
    return text.lines().findFirst().orElse(cause.getClass().getSimpleName());
  }

  @Override
  public String toString() {
    return host + ":" + port;
  }
}
