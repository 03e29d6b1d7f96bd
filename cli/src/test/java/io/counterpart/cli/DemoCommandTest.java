package io.counterpart.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.lab.result.DemoSummary;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DemoCommandTest {
  @TempDir Path target;

  @Test
  void the_tier_has_a_new_directory_where_somebody_may_have_files() throws IOException {
    Path theirs = Files.createDirectory(target.resolve("tier"));

    Path ours = DemoCommand.tierDirectory(target, true);

    assertThat(ours).isNotEqualTo(theirs).hasParent(target).isEmptyDirectory();
    assertThat(DemoCommand.tierDirectory(target, false)).isEqualTo(theirs);
  }

  @Test
  void where_nothing_was_shown_nothing_is_intact() {
    assertThat(DemoCommand.exitCode(DemoSummary.NONE)).isEqualTo(3);
  }
}
