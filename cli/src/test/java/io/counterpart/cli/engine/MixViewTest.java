package io.counterpart.cli.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.counterpart.core.engine.advice.MixAdvice;
import io.counterpart.core.placement.engine.CopyLevel;
import io.counterpart.core.placement.engine.EngineMix;
import io.counterpart.core.placement.engine.KeyspaceMixChange;
import io.counterpart.core.placement.engine.MixChange;
import io.counterpart.lab.remote.advice.WorkloadAdvice;
import io.counterpart.lab.remote.mix.MixPlan;
import io.counterpart.lab.setup.RunRefusedException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class MixViewTest {
  @Test
  void a_change_says_which_levels_it_takes() {
    MixView view = new MixView(plan("2,2,1", "3,2,2", 3, Optional.empty()));

    assertThat(view.text().lines())
        .containsExactly(
            "app: (2, 2, 1) to (3, 2, 2) in dc1, copies by class write 1, read 0, memory 1 to write"
                + " 1, read 1, memory 1",
            "of a row's copies 2 or more stay where they are; the new ones are empty until the repair",
            "from before the change until the repair has ended, all applications have to",
            "  read at QUORUM, TWO, LOCAL_QUORUM, ALL",
            "  write at the level of now, which waits for 2 copies");
    assertThat(view.howToGoOn())
        .isEqualTo("nothing was changed; when they do, add --reads-at QUORUM");
    assertThat(view.after())
        .startsWith(
            "app has the mix (3, 2, 2): applications may read at QUORUM and write at QUORUM")
        .contains("nodetool cleanup app on 10.0.0.9, before the next change");
  }

  @Test
  void a_change_that_was_cut_off_is_taken_up_by_engine_mix() {
    assertThat(new MixView(plan("2,2,1", "3,2,2", 3, Optional.empty())).again())
        .isEqualTo("counterpart engine mix app 3,2,2");
  }

  @Test
  void one_that_is_taken_up_again_has_every_node_cleaned() {
    EngineMix mix = EngineMix.parse("3,2,2");
    MixChange same = new MixChange(mix, mix, 3, Set.of(), Set.of());
    MixPlan done =
        new MixPlan(
            "app", "dc1", KeyspaceMixChange.of(Map.of("dc1", same)), true, Optional.empty());

    assertThat(new MixView(done).after()).contains("nodetool cleanup app on every node");
  }

  @Test
  void one_that_is_repaired_first_says_so() {
    MixView view = new MixView(plan("3,1,3", "3,3,1", 5, Optional.empty()));

    assertThat(view.text())
        .contains("so a repair comes before the change", "  write at ALL, THREE");
    assertThat(view.howToGoOn()).endsWith("add --reads-at ALL --writes-at ALL");
    assertThat(view.repairsBefore(List.of("10.0.0.1")))
        .contains("--repaired", "  on 10.0.0.1: nodetool repair -full -pr app");
  }

  @Test
  void levels_that_are_too_weak_or_missing_are_refused() {
    MixPlan plan = plan("2,2,1", "3,3,1", 3, Optional.empty());

    refused(plan, CopyLevel.TWO, null, "--writes-at is missing, legal: ALL, at which all");
    refused(plan, CopyLevel.TWO, CopyLevel.TWO, "--writes-at is TWO, legal: ALL");
    refused(plan, CopyLevel.ONE, CopyLevel.ALL, "--reads-at is ONE, legal: QUORUM, TWO,");
    levels(CopyLevel.TWO, CopyLevel.ALL).require(plan);
    refused(
        plan("2,2,1", "2,1,2", 4, Optional.of(EngineMix.parse("4,3,3"))),
        CopyLevel.ALL,
        CopyLevel.ALL,
        "(2, 2, 1) to (2, 1, 2): 0 of 2 copies stay where they are, and a write may be on none of the"
            + " new ones, however strong the levels; go over (4, 3, 3): counterpart engine mix app"
            + " 4,3,3, and then this again");
  }

  @Test
  void of_several_datacenters_commands_name_the_one_whose_copies_change() {
    EngineMix from = EngineMix.parse("2,2,1");
    EngineMix to = EngineMix.parse("2,2,2");
    MixChange own = new MixChange(from, to, 3, Set.of("10.0.0.1"), Set.of("10.0.0.2"));
    MixChange free = new MixChange(from, to, 3, Set.of("10.0.1.1"), Set.of("10.0.1.2"));
    MixChange stuck = new MixChange(from, to, 4, Set.of("10.0.1.1"), Set.of("10.0.1.2"));
    Optional<EngineMix> over = Optional.of(EngineMix.parse("4,3,3"));

    refused(
        of(own, stuck, over),
        CopyLevel.ALL,
        CopyLevel.ALL,
        "(2, 2, 1) to (2, 2, 2) in dc2: 0 of 2 copies stay where they are, and a write may be on"
            + " none of the new ones, however strong the levels; go over (4, 3, 3): counterpart"
            + " engine mix app 4,3,3 --datacenter dc1, and then this again");
    MixView view = new MixView(of(own, free, Optional.empty()));
    assertThat(view.repairsBefore(List.of()))
        .contains(
            "counterpart engine mix app 2,2,2 --datacenter dc1 with the levels and --repaired");
    assertThat(view.text())
        .contains(
            "app: (2, 2, 1) to (2, 2, 2) in dc2, copies by class write 1, read 0, memory 1 to")
        .contains("of a row's copies in a datacenter 1 or more stay where they are");
    assertThat(view.json("planned", List.of()))
        .containsEntry("gainingNodes", List.of("10.0.0.1", "10.0.1.1"));
  }

  private static MixPlan of(MixChange own, MixChange other, Optional<EngineMix> over) {
    return new MixPlan(
        "app", "dc1", KeyspaceMixChange.of(Map.of("dc1", own, "dc2", other)), false, over);
  }

  private static void refused(MixPlan plan, CopyLevel reads, CopyLevel writes, String message) {
    assertThatThrownBy(() -> levels(reads, writes).require(plan))
        .isInstanceOf(RunRefusedException.class)
        .hasMessageContaining(message);
  }

  private static MixLevels levels(CopyLevel reads, CopyLevel writes) {
    return new MixLevels(Optional.of(reads), Optional.ofNullable(writes));
  }

  private static MixPlan plan(String from, String to, int most, Optional<EngineMix> over) {
    MixChange change =
        new MixChange(
            EngineMix.parse(from),
            EngineMix.parse(to),
            most,
            Set.of("10.0.0.8"),
            Set.of("10.0.0.9"));
    return new MixPlan("app", "dc1", KeyspaceMixChange.of(Map.of("dc1", change)), false, over);
  }

  @Test
  void advice_names_the_command_where_the_mix_can_be_changed_in_place() {
    MixAdvice mix = new MixAdvice(4, true, 2, 3, "it pays");

    assertThat(commands(mix, List.of("app", "other")))
        .contains("./counterpart engine mix app 4,2,3", "./counterpart engine mix other 4,2,3")
        .doesNotContain("up --servers");
    assertThat(commands(mix, List.of()))
        .contains("no command changes the mix of 4 copies in place")
        .contains("./counterpart up --servers S", "--quorum 4,2,3")
        .doesNotContain("engine mix app");
    assertThat(view(mix, List.of()).notInPlace())
        .singleElement()
        .asString()
        .startsWith("the mix of 4 copies is left as it is");
    assertThat(view(mix, List.of("app")).notInPlace()).isEmpty();
    assertThat(commands(new MixAdvice(4, false, 2, 3, "no"), List.of("app")))
        .doesNotContain("engine mix app");
  }

  private static String commands(MixAdvice mix, List<String> keyspaces) {
    return view(mix, keyspaces).text();
  }

  private static AdviceView view(MixAdvice mix, List<String> keyspaces) {
    return new AdviceView(
        new WorkloadAdvice(List.of(), List.of(new WorkloadAdvice.OnMix(mix, keyspaces)), true));
  }
}
