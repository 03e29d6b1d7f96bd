package io.counterpart.cache.launch;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.counterpart.cache.backend.ServerAddress;
import io.counterpart.cache.proxy.Credentials;
import io.counterpart.cache.proxy.TlsFiles;
import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/**
 * Queries the state of a memcached server, or of a proxy, and waits for each answer up to a limit.
 * Not thread-safe.
 */
public final class BlockingClient implements AutoCloseable {
  private static final String VERSION = "VERSION ";
  private static final String STAT = "STAT ";

  private final Socket socket;
  private final BufferedReader answers;

  private BlockingClient(Socket socket) throws IOException {
    this.socket = socket;
    answers = new BufferedReader(new InputStreamReader(socket.getInputStream(), ISO_8859_1));
  }

  /**
   * Connects, and authenticates.
   *
   * @param tls a context that trusts the certificate; null without TLS
   * @param credentials whose first user is taken; null without authentication
   * @param limit of connecting and of each answer, at least 1 ms
   * @throws IOException if nobody listens, answers in time or accepts the credentials
   */
  public static BlockingClient connect(
      ServerAddress server,
      @Nullable TlsFiles tls,
      @Nullable Credentials credentials,
      Duration limit)
      throws IOException {
    Socket socket = new Socket();
    try {
      int limitMillis = Math.toIntExact(limit.toMillis());
      socket.connect(new InetSocketAddress(server.host(), server.port()), limitMillis);
      socket.setSoTimeout(limitMillis);
      BlockingClient client =
          new BlockingClient(tls == null ? socket : secure(socket, server, tls));
      if (credentials != null) {
        client.authenticate(credentials.first());
      }
      return client;
    } catch (IOException | RuntimeException failure) {
      socket.close();
      throw failure;
    }
  }

  private static Socket secure(Socket socket, ServerAddress server, TlsFiles tls)
      throws IOException {
    SSLSocket secured =
        (SSLSocket)
            tls.client()
                .getSocketFactory()
                .createSocket(socket, server.host(), server.port(), true);
    secured.startHandshake();
    return secured;
  }

  private void authenticate(String token) throws IOException {
    byte[] value = token.getBytes(UTF_8);
    send("set user 0 0 %d\r\n%s\r\n".formatted(value.length, new String(value, ISO_8859_1)));
    String answer = answer();
    if (!answer.equals("STORED")) {
      throw new IOException("it does not let us in: " + answer);
    }
  }

  /**
   * Its version.
   *
   * @throws IOException if it answers none
   */
  public String version() throws IOException {
    send("version\r\n");
    String answer = answer();
    if (!answer.startsWith(VERSION)) {
      throw new IOException("it answers '%s' to version".formatted(answer));
    }
    return answer.substring(VERSION.length());
  }

  /**
   * Has it keep items of a size in one list that nothing reorders.
   *
   * @throws IOException if it refuses
   */
  public void keepOneList() throws IOException {
    send("lru mode flat\r\n");
    String answer = answer();
    if (!answer.equals("OK")) {
      throw new IOException("it answers '%s' to lru mode flat".formatted(answer));
    }
  }

  /**
   * Its statistics by name, in its order.
   *
   * @throws IOException if it answers none
   */
  public Map<String, String> stats() throws IOException {
    send("stats\r\n");
    Map<String, String> stats = new LinkedHashMap<>();
    for (String line = answer(); !line.equals("END"); line = answer()) {
      int space = line.indexOf(' ', STAT.length());
      if (!line.startsWith(STAT) || space < 0) {
        throw new IOException("it answers '%s' to stats".formatted(line));
      }
      stats.put(line.substring(STAT.length(), space), line.substring(space + 1));
    }
    return stats;
  }

  private void send(String command) throws IOException {
    socket.getOutputStream().write(command.getBytes(ISO_8859_1));
    socket.getOutputStream().flush();
  }

  private String answer() throws IOException {
    String line = answers.readLine();
    if (line == null) {
      throw new EOFException("it closed the connection");
    }
    return line;
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
