package io.counterpart.cli.recover;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.cli.console.ErrorReport;
import io.counterpart.cli.nodes.JmxAddress;
import io.counterpart.recovery.RecoveryProgress;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class RecoverCommandTest {
  @TempDir Path directory;

  private final StringWriter err = new StringWriter();

  @Test
  void refuses_bad_values_before_it_looks_for_a_cluster() {
    refuses(2, "name one node: either NODE or --jmx");
    refuses(2, "name one node: either NODE or --jmx", "2", "--jmx=h:7199");
    refuses(2, "Invalid value for positional parameter", "two");
    refuses(2, "--jmx is 'h:x', not HOST:PORT", "--jmx=h:x");
    refuses(2, "--jmx port is 70000, not in 1..65535", "--jmx=h:70000");
    refuses(2, "--steps is 0, not in 1..256", "2", "--steps=0");
    refuses(2, "--mode", "2", "--mode=magic");
    refuses(2, "--paper repairs; it excludes --mode rebuild", "2", "--paper", "--mode=rebuild");
    refuses(2, "replace_address_first_boot", "--jmx=h:1", "--mode=replace");
  }

  @Test
  void what_is_missing_is_a_precondition() {
    refuses(3, "no cluster runs under " + directory, "2", "--home=" + directory);
    refuses(3, "no JMX connection to 127.0.0.1:1", "--jmx=127.0.0.1:1", "--home=" + directory);
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void reads_addresses_of_all_forms() {
    assertThat(parsed("db1")).isEqualTo(new JmxAddress("db1", 7199));
    assertThat(parsed("10.0.0.7:7200")).isEqualTo(new JmxAddress("10.0.0.7", 7200));
    assertThat(parsed("[fe80::1]:7200")).isEqualTo(new JmxAddress("[fe80::1]", 7200));
  }

  private static JmxAddress parsed(String text) {
    return JmxAddress.parse("--jmx", text, JmxAddress.USUAL_PORT);
  }

  @Test
  void a_node_that_accepts_and_never_answers_is_given_up() throws IOException {
    try (ServerSocket mute = new ServerSocket(0, 5, InetAddress.getByName("127.0.0.1"))) {
      long start = System.nanoTime();

      refuses(3, "no answer within 10 s", "--jmx=127.0.0.1:" + mute.getLocalPort());
      assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(40));
    }
  }

  @Test
  void progress_names_both_roles_and_the_time_left() {
    RecoveryProgress progress =
        new RecoveryProgress("ks", 1, 4, 3, 8, 3 << 19, Optional.of(Duration.ofMinutes(7)));

    assertThat(RecoverProgress.line(progress))
        .isEqualTo(
            "ks: primary ranges 1 of 4, redundant ranges 3 of 8, 1.5 MiB received,"
                + " about 7 min left");
  }

  private void refuses(int exitCode, String message, String... arguments) {
    err.getBuffer().setLength(0);
    int code =
        new CommandLine(new RecoverCommand())
            .setCaseInsensitiveEnumValuesAllowed(true)
            .setExecutionExceptionHandler(new ErrorReport())
            .setErr(new PrintWriter(err, true))
            .execute(arguments);

    assertThat(code).as(err.toString()).isEqualTo(exitCode);
    assertThat(err.toString()).contains(message);
  }
}
