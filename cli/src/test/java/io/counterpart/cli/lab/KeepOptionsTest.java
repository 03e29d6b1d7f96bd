package io.counterpart.cli.lab;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParameterException;

class KeepOptionsTest {
  @Command
  private static final class Host {
    @Mixin private final KeepOptions keep = new KeepOptions();
  }

  @Test
  void the_usual_directory_does_not_spare_the_run_that_is_in_it() {
    Host host = new Host();
    CommandLine command = new CommandLine(host);
    Path usual = Path.of("lab", "depart-exp1-replay");

    assertThatThrownBy(() -> host.keep.checkSpares(usual, usual))
        .isInstanceOf(ParameterException.class)
        .hasMessageContaining("would write over the run that is replayed");
    assertThatThrownBy(() -> host.keep.checkSpares(usual.resolve("result.json"), usual))
        .isInstanceOf(ParameterException.class);
    host.keep.checkSpares(Path.of("lab", "depart-exp1"), usual);
    command.parseArgs("--out", "elsewhere");
    host.keep.checkSpares(usual, usual);
  }
}
