package io.counterpart.cli.engine;

import io.counterpart.core.placement.engine.CopyLevel;
import io.counterpart.core.placement.engine.KeyspaceMixChange;
import io.counterpart.core.placement.engine.MixChange;
import io.counterpart.lab.remote.mix.MixPlan;
import io.counterpart.lab.setup.RunRefusedException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/**
 * The consistency levels of a keyspace's applications while its mix changes, as somebody states
 * them.
 *
 * @param reads empty where nothing was said
 * @param writes empty for the W of before
 */
record MixLevels(Optional<CopyLevel> reads, Optional<CopyLevel> writes) {

  /**
   * What {@code --reads-at} and {@code --writes-at} state; null where they were not given.
   *
   * @throws ParameterException if there is no such level, with those that there are
   */
  static MixLevels stated(CommandSpec command, @Nullable String reads, @Nullable String writes) {
    return new MixLevels(
        level(command, "--reads-at", reads), level(command, "--writes-at", writes));
  }

  private static Optional<CopyLevel> level(
      CommandSpec command, String option, @Nullable String given) {
    if (given == null) {
      return Optional.empty();
    }
    return Optional.of(
        CopyLevel.named(given)
            .orElseThrow(
                () ->
                    new ParameterException(
                        command.commandLine(),
                        "%s is '%s', legal: one of %s"
                            .formatted(option, given, Arrays.toString(CopyLevel.values())))));
  }

  /** The weakest levels with which the change is safe. */
  static MixLevels weakest(KeyspaceMixChange change) {
    Optional<CopyLevel> writes =
        change.keepsWrites() ? Optional.empty() : change.writeLevels().stream().findFirst();
    return new MixLevels(change.readLevels(writes).stream().findFirst(), writes);
  }

  /**
   * Looks whether no read can miss an acknowledged write.
   *
   * @throws RunRefusedException with the level and those that would do, or where none would
   */
  void require(MixPlan plan) {
    KeyspaceMixChange change = plan.change();
    requirePossible(plan);
    if (writes.isEmpty() && !change.keepsWrites()) {
      throw new RunRefusedException(
          "--writes-at is missing, legal: %s, at which all applications have to write meanwhile"
              .formatted(names(change.writeLevels())));
    }
    writes.ifPresent(level -> requireOneOf("--writes-at", level, change.writeLevels()));
    reads.ifPresent(level -> requireOneOf("--reads-at", level, change.readLevels(writes)));
  }

  private static void requirePossible(MixPlan plan) {
    if (plan.change().isPossible()) {
      return;
    }
    String reason = stuck(plan);
    throw new RunRefusedException(
        plan.over()
            .map(
                mix ->
                    "%s; go over %s: counterpart engine mix %s %s%s, and then this again"
                        .formatted(
                            reason, mix, plan.keyspace(), mix.option(), plan.datacenterOption()))
            .orElse(reason + "; nor is there a mix to go over"));
  }

  /** The datacenter that is in the way, which need not be the one whose N changes. */
  private static String stuck(MixPlan plan) {
    String datacenter =
        new TreeMap<>(plan.change().byDatacenter())
            .entrySet().stream()
                .filter(entry -> !entry.getValue().isPossible(true))
                .map(Map.Entry::getKey)
                .findFirst()
                .orElse(plan.datacenter());
    MixChange change = plan.change().byDatacenter().getOrDefault(datacenter, plan.own());
    return ("%s to %s%s: %d of %d copies stay where they are, and a write may be on none of the new"
            + " ones, however strong the levels")
        .formatted(
            change.from(),
            change.to(),
            plan.datacenterOption().isEmpty() ? "" : " in " + datacenter,
            change.kept(),
            change.from().copies());
  }

  private static void requireOneOf(String option, CopyLevel level, List<CopyLevel> legal) {
    if (!legal.contains(level)) {
      throw new RunRefusedException("%s is %s, legal: %s".formatted(option, level, names(legal)));
    }
  }

  static String names(List<CopyLevel> levels) {
    return String.join(", ", levels.stream().map(CopyLevel::name).toList());
  }
}
