package io.counterpart.cache.service;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.counterpart.cache.launch.BlockingClient;
import io.counterpart.cache.protocol.MemcachedProcess;
import io.counterpart.cache.proxy.Access;
import io.counterpart.cache.proxy.Credentials;
import io.counterpart.cache.proxy.TestCertificate;
import io.counterpart.cache.proxy.TlsFiles;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Authentication, compared with memcached's own {@code -Y}, and TLS. */
@Timeout(120)
class AccessTest {
  private static final Duration LIMIT = Duration.ofSeconds(40);

  private static final String LET_IN = "set x 0 0 7\r\nann one\r\n";

  /**
   * Clients' conversations, each on one connection. Each part has one line as its answer, and the
   * client waits for it: memcached may forget to answer a part of what arrives at once.
   */
  private static final List<List<String>> CONVERSATIONS =
      List.of(
          List.of(LET_IN, "version\r\n", "set k 0 0 1\r\nv\r\n", "mn\r\n"),
          List.of("set x 0 0 7 noreply\r\nann one\r\n", "mn\r\n"),
          List.of("set x 9 9 13\r\n ann  one  x \r\n", "mn\r\n"),
          List.of("set x 0 0 7\nbob two\r\n", "get none\r\n"),
          List.of("version\r\n", "get k\r\n", "\r\n", LET_IN, "mn\r\n"),
          List.of("set x 0 0 7\r\nann two\r\n", "mn\r\n", LET_IN, "mn\r\n"),
          List.of("set x 0 0 3\r\nann\r\n", "set x 0 0 0\r\n\r\n", LET_IN, "mn\r\n"),
          List.of("set x 0 0 7\r\nann onexx", LET_IN),
          List.of("set x 0 0 seven\r\n", "set x 0 0\r\n", "add x 0 0 7\r\n", "ann one\r\n"));

  @TempDir static Path directory;

  private Path users;
  private MemcachedProcess behind;

  @BeforeEach
  void start() throws Exception {
    behind = MemcachedProcess.start();
    users = Files.writeString(directory.resolve("users"), "ann:one\nbob:two\n");
    // memcached reads it as nobody
    Files.setPosixFilePermissions(users, PosixFilePermissions.fromString("rw-r--r--"));
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  @AfterEach
  void stop() {
    if (behind != null) {
      behind.close();
    }
  }

  @Test
  void passwords_are_asked_for_as_memcached_does() throws Exception {
    try (MemcachedProcess oracle = MemcachedProcess.start("-Y", users.toString());
        CacheService service = CacheService.start(withPasswords())) {
      for (List<String> conversation : CONVERSATIONS) {
        assertThat(answers(service.address().getPort(), conversation))
            .as("%s", conversation)
            .isEqualTo(answers(oracle.port(), conversation));
      }
    }
  }

  @Test
  void a_client_that_guesses_is_given_up() throws Exception {
    try (CacheService service = CacheService.start(withPasswords())) {
      String guesses = "set x 0 0 7\r\nann two\r\n".repeat(9) + "set x 0 0 7\r\nann one\r\nmn\r\n";

      byte[] answers =
          MemcachedProcess.answers(service.address().getPort(), guesses.getBytes(ISO_8859_1));

      assertThat(new String(answers, ISO_8859_1))
          .isEqualTo("CLIENT_ERROR authentication failure\r\n".repeat(8));
      BlockingClient client = client(service, null, Credentials.read(users));
      assertThat(client.stats()).containsEntry("auth_cmds", "9").containsEntry("auth_errors", "8");
      client.close();
    }
  }

  @Test
  void a_password_without_an_end_is_given_up() throws Exception {
    try (CacheService service = CacheService.start(withPasswords())) {
      for (String endless : List.of("x".repeat(3000), "set x 0 0 1000000\r\n" + "x".repeat(999))) {
        assertThat(
                MemcachedProcess.answers(service.address().getPort(), endless.getBytes(ISO_8859_1)))
            .asString(ISO_8859_1)
            .isIn("", "CLIENT_ERROR bad authentication token format\r\n");
      }
    }
  }

  @Test
  void clients_with_tls_and_a_password_are_served() throws Exception {
    TlsFiles tls = TestCertificate.create(directory, "tls");
    Credentials credentials = Credentials.read(users);
    ServiceOptions options = Services.options(new Access(tls.server(), credentials), behind);
    try (CacheService service = CacheService.start(options);
        BlockingClient client = client(service, tls, credentials)) {
      assertThat(client.version()).startsWith("1.6.18");
      assertThat(client.stats()).containsEntry("curr_connections", "1");

      // plain bytes to a port that speaks TLS
      assertThat(
              new String(
                  MemcachedProcess.answers(
                      service.address().getPort(), "version\r\n".getBytes(ISO_8859_1)),
                  ISO_8859_1))
          .doesNotContain("VERSION");
      assertThatThrownBy(() -> client(service, tls, null).version())
          .isInstanceOf(IOException.class)
          .hasMessageContaining("unauthenticated");
      TlsFiles other = TestCertificate.create(directory, "other");
      assertThatThrownBy(() -> client(service, other, credentials)).isInstanceOf(IOException.class);
    }
  }

  @Test
  void large_values_pass_through_tls_whole() throws Exception {
    TlsFiles tls = TestCertificate.create(directory, "large");
    String value = "0123456789abcdef".repeat(60_000);
    try (CacheService service =
            CacheService.start(Services.options(new Access(tls.server(), null), behind));
        Socket plain = new Socket("127.0.0.1", service.address().getPort());
        SSLSocket socket =
            (SSLSocket) tls.client().getSocketFactory().createSocket(plain, "127.0.0.1", 1, true)) {
      socket
          .getOutputStream()
          .write(
              ("set k 0 0 " + value.length() + "\r\n" + value + "\r\nget k\r\n")
                  .getBytes(ISO_8859_1));

      String expected = "STORED\r\nVALUE k 0 " + value.length() + "\r\n" + value + "\r\nEND\r\n";
      assertThat(new String(socket.getInputStream().readNBytes(expected.length()), ISO_8859_1))
          .isEqualTo(expected);
    }
  }

  private ServiceOptions withPasswords() throws IOException {
    return Services.options(new Access(null, Credentials.read(users)), behind);
  }

  private static BlockingClient client(CacheService service, TlsFiles tls, Credentials credentials)
      throws IOException {
    return BlockingClient.connect(Services.address(service), tls, credentials, LIMIT);
  }

  private static List<String> answers(int port, List<String> conversation) throws IOException {
    List<String> answers = new ArrayList<>();
    try (Socket socket = new Socket("127.0.0.1", port)) {
      socket.setSoTimeout((int) LIMIT.toMillis());
      BufferedReader lines =
          new BufferedReader(new InputStreamReader(socket.getInputStream(), ISO_8859_1));
      for (String part : conversation) {
        socket.getOutputStream().write(part.getBytes(ISO_8859_1));
        answers.add(lines.readLine().replaceAll("VERSION \\S+", "VERSION #"));
      }
    }
    return answers;
  }
}
