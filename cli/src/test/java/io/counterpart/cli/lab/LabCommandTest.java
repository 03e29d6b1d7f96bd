package io.counterpart.cli.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.counterpart.cli.console.PreconditionException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class LabCommandTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Test
  void lists_every_experiment_with_its_place_in_the_paper() {
    assertThat(run("list")).isZero();
    assertThat(out.toString()).contains("depart-exp1").contains("Figures 10 and 11");
  }

  @Test
  void refuses_what_it_does_not_know_before_anything_starts() {
    assertThat(run("run", "depart-exp99")).isEqualTo(2);
    assertThat(err.toString()).contains("experiment 'depart-exp99': must be one of depart-exp1");
    assertThat(run("run", "depart-exp1", "--scale", "huge")).isEqualTo(2);
    assertThat(err.toString()).contains("scale 'huge': must be smoke, small or full");
    assertThat(run("run")).isEqualTo(2);
  }

  @Test
  void refuses_a_port_that_there_is_not_or_that_is_taken() throws IOException {
    assertThat(run("run", "depart-exp1", "--live", "65536")).isEqualTo(2);
    assertThat(err.toString()).contains("--live").contains("'65536': must be from 0 to 65535");
    assertThat(run("run", "depart-exp1", "--live", "0", "--no-live")).isEqualTo(2);

    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      int port = taken.getLocalPort();
      assertThatThrownBy(() -> new LiveOptions().open(port, new PrintWriter(err)))
          .isInstanceOf(PreconditionException.class)
          .hasMessageContaining("port " + port + " of 127.0.0.1");
    }
  }

  private int run(String... arguments) {
    return new CommandLine(new LabCommand())
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(arguments);
  }
}
