package io.counterpart.cli.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.cli.console.ErrorReport;
import io.counterpart.lab.bundle.ResultFolder;
import io.counterpart.lab.experiment.Experiments;
import io.counterpart.lab.result.LabResult;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** A cluster that is not there, or options that do not fit, on both commands that run. */
class RemoteOptionsTest {
  private final StringWriter err = new StringWriter();

  @Test
  void a_contact_point_that_does_not_answer_is_named(@TempDir Path directory) throws IOException {
    String closed = "127.0.0.1:" + closedPort();
    long start = System.nanoTime();

    assertThat(run("run", "depart-exp1", "--contact-points", closed)).isEqualTo(3);
    assertThat(err.toString())
        .containsIgnoringCase("no contact point answers CQL: " + closed + " (connection refused");
    assertThat(run("replay", kept(directory), "--contact-points", closed)).isEqualTo(3);
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(60));
  }

  @Test
  void a_contact_point_that_accepts_and_never_answers_is_given_up() throws IOException {
    try (ServerSocket mute = new ServerSocket(0, 5, InetAddress.getByName("127.0.0.1"))) {
      String point = "127.0.0.1:" + mute.getLocalPort();
      long start = System.nanoTime();

      assertThat(run("run", "depart-exp1", "--contact-points", point)).isEqualTo(3);
      assertThat(err.toString()).contains("no contact point answers CQL", point);
      assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(40));
    }
  }

  @Test
  void an_unknown_host_is_named() {
    assertThat(run("run", "depart-exp1", "--contact-points", "no-such-host.invalid")).isEqualTo(3);
    assertThat(err.toString())
        .contains("contact point no-such-host.invalid: there is no host of that name");
  }

  @Test
  void options_that_do_not_fit_are_refused_before_anybody_is_asked(@TempDir Path directory)
      throws IOException {
    Path empty = Files.createFile(directory.resolve("empty"));

    refused("must be HOST, HOST:PORT or [IPv6]:PORT", "--contact-points", "a b");
    refused("the port must be 1 to 65535", "--contact-points", "h:0");
    refused("--contact-points", "--local-dc", "dc1");
    refused("--user and --password-file: both or neither", "--contact-points=h", "--user=u");
    refused(
        "--jmx-user and --jmx-password-file: both or neither",
        "--contact-points=h",
        "--jmx-password-file=" + empty);
    refused("--jmx-port 65536: must be 1 to 65535", "--contact-points=h", "--jmx-port=65536");
    refused("is empty", "--contact-points=h", "--user=u", "--password-file=" + empty);
    refused(
        "cannot be read as text",
        "--contact-points=h",
        "--user=u",
        "--password-file=" + directory.resolve("absent"));
  }

  @Test
  void tls_options_that_do_not_fit_are_refused_before_anybody_is_asked(@TempDir Path directory)
      throws IOException {
    Path text = Files.writeString(directory.resolve("text"), "no PEM\n");
    Path absent = directory.resolve("absent");

    refused("--contact-points", "--tls");
    refused(
        "--tls-ca '%s': only with --tls or --jmx-tls".formatted(text),
        "--contact-points=h",
        "--tls-ca=" + text);
    refused("--tls-any-name: only with --tls", "--contact-points=h", "--jmx-tls", "--tls-any-name");
    refused(
        "--tls-certificate and --tls-key: both or neither",
        "--contact-points=h",
        "--tls",
        "--tls-key=" + text);
    refused(
        absent + " cannot be read; needed: certificates in PEM",
        "--contact-points=h",
        "--tls",
        "--tls-ca=" + absent);
    refused(
        text + " has no certificate; needed: certificates in PEM",
        "--contact-points=h",
        "--jmx-tls",
        "--tls-ca=" + text);
    refused(
        "needed: PEM, the key as PKCS #8 without a password",
        "--contact-points=h",
        "--tls",
        "--tls-certificate=" + text,
        "--tls-key=" + text);
  }

  @Test
  void who_is_cut_off_without_tls_is_told_of_it() throws IOException {
    try (ServerSocket cutting = new ServerSocket(0, 5, InetAddress.getByName("127.0.0.1"))) {
      Thread accepting = new Thread(() -> cutEverybody(cutting));
      accepting.setDaemon(true);
      accepting.start();
      String point = "127.0.0.1:" + cutting.getLocalPort();

      assertThat(run("run", "depart-exp1", "--contact-points", point)).isEqualTo(3);
      assertThat(err.toString()).contains("; nodes that want TLS need --tls");
      err.getBuffer().setLength(0);
      assertThat(run("run", "depart-exp1", "--contact-points", point, "--tls")).isEqualTo(3);
      assertThat(err.toString())
          .contains("no contact point answers CQL over TLS: " + point)
          .doesNotContain("need --tls");
    }
  }

  private static void cutEverybody(ServerSocket cutting) {
    try {
      while (true) {
        cutting.accept().close();
      }
    } catch (IOException closed) {
      // the end of the test
      return;
    }
  }

  private void refused(String message, String... options) {
    err.getBuffer().setLength(0);
    String[] arguments = new String[options.length + 2];
    arguments[0] = "run";
    arguments[1] = Experiments.names().get(0);
    System.arraycopy(options, 0, arguments, 2, options.length);
    assertThat(run(arguments)).as(message).isEqualTo(2);
    assertThat(err.toString()).contains(message);
  }

  private static String kept(Path directory) throws IOException {
    ResultFolder.write(
        directory,
        new LabResult(
            LabResult.SCHEMA,
            "depart-exp1",
            "",
            "",
            "smoke",
            Map.of("seed", 1),
            List.of(),
            List.of(),
            List.of(),
            0,
            0,
            0,
            0,
            1));
    return directory.toString();
  }

  private static int closedPort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      return socket.getLocalPort();
    }
  }

  private int run(String... arguments) {
    return new CommandLine(new LabCommand())
        .setExecutionExceptionHandler(new ErrorReport())
        .setErr(new PrintWriter(err, true))
        .execute(arguments);
  }
}
