package io.counterpart.cli.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.counterpart.cli.console.PreconditionException;
import io.counterpart.core.placement.engine.EngineMix;
import io.counterpart.core.placement.engine.KeyspaceMixChange;
import io.counterpart.core.placement.engine.MixChange;
import io.counterpart.lab.remote.mix.MixPlan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UnrepairedMixTest {
  @TempDir Path directory;

  /**
   * From (1, 1, 1) to (3, 3, 1), which is not repaired: a row may be on one node alone. To (3, 2,
   * 2) then: the rule believes that three have it, and that two of the new copies suffice.
   */
  @Test
  void another_change_waits_for_the_repair_of_the_one_before() {
    UnrepairedMix unrepaired = unrepaired();
    unrepaired.require(plan("3,3,1", "3,2,2", false));

    unrepaired.begin(plan("1,1,1", "3,3,1", false));

    assertThatThrownBy(() -> unrepaired.require(plan("3,3,1", "3,2,2", false)))
        .isInstanceOf(PreconditionException.class)
        .hasMessageContaining("counterpart engine mix app 3,3,1 first");
    unrepaired.require(plan("3,3,1", "3,3,1", true));
    // the schema has not got it
    unrepaired.require(plan("1,1,1", "2,2,1", false));
    unrepaired.end();
    unrepaired.require(plan("3,3,1", "3,2,2", false));
    assertThat(directory).isEmptyDirectory();
  }

  /** The other one was planned before, repaired first, and is refused now. */
  @Test
  void one_that_comes_too_late_does_not_hide_the_one_before() {
    unrepaired().begin(plan("1,1,1", "3,3,1", false));

    unrepaired().begin(plan("1,1,1", "2,2,1", false));

    assertThatThrownBy(() -> unrepaired().require(plan("3,3,1", "3,2,2", false)))
        .isInstanceOf(PreconditionException.class);
    unrepaired().begin(plan("3,3,1", "3,3,1", true));
    unrepaired().end();
    unrepaired().require(plan("3,3,1", "3,2,2", false));
    assertThat(directory).isEmptyDirectory();
  }

  /** A repair that fails since the first node has died: another one takes its place. */
  @Test
  void it_is_known_without_the_node_that_was_first() throws IOException {
    unrepaired().begin(plan("1,1,1", "3,3,1", false));
    Files.delete(directory.resolve("1"));

    UnrepairedMix others =
        new UnrepairedMix(List.of(directory.resolve("2"), directory.resolve("new")));

    assertThatThrownBy(() -> others.require(plan("3,3,1", "3,2,2", false)))
        .isInstanceOf(PreconditionException.class)
        .hasMessageContaining("or delete " + directory.resolve("2") + " if");
  }

  private UnrepairedMix unrepaired() {
    return new UnrepairedMix(List.of(directory.resolve("1"), directory.resolve("2")));
  }

  private static MixPlan plan(String from, String to, boolean isDone) {
    EngineMix before = EngineMix.parse(from);
    EngineMix after = EngineMix.parse(to);
    int most = Math.max(before.copies(), after.copies());
    MixChange change = new MixChange(before, after, most, Set.of(), Set.of());
    return new MixPlan(
        "app", "dc1", KeyspaceMixChange.of(Map.of("dc1", change)), isDone, Optional.empty());
  }
}
