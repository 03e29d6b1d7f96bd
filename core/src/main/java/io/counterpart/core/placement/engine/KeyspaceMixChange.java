package io.counterpart.core.placement.engine;

import io.counterpart.core.placement.engine.MixChange.Asked;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * A change of a keyspace's mix: in one datacenter that of all three numbers, in the others that of
 * the quorums, which are the keyspace's. Levels have to do in each of them.
 *
 * <p>Where several datacenters have copies, only levels count that tell how many copies of one of
 * them answer; clients then read in the datacenter that they write in.
 *
 * @param byDatacenter at least one
 * @param isRepairedFirst whether a repair comes before the change, too
 */
public record KeyspaceMixChange(Map<String, MixChange> byDatacenter, boolean isRepairedFirst) {
  /** Checks and copies. */
  public KeyspaceMixChange {
    byDatacenter = Map.copyOf(byDatacenter);
    if (byDatacenter.isEmpty()) {
      throw new IllegalArgumentException("datacenters with copies are 0, legal: 1 and above");
    }
  }

  /** The change, with a repair before it only if no level does without. */
  public static KeyspaceMixChange of(Map<String, MixChange> byDatacenter) {
    KeyspaceMixChange atOnce = new KeyspaceMixChange(byDatacenter, false);
    KeyspaceMixChange repaired = new KeyspaceMixChange(byDatacenter, true);
    return atOnce.isPossible() || !repaired.isPossible() ? atOnce : repaired;
  }

  /** Whether levels exist with which no acknowledged write is missed. */
  public boolean isPossible() {
    return all(change -> change.isPossible(isRepairedFirst));
  }

  /** Whether writes may stay at the W of before. */
  public boolean keepsWrites() {
    return all(change -> change.allowsWrites(change.presentWrites()))
        && !readLevels(Optional.empty()).isEmpty();
  }

  /** Levels at which writes are safe meanwhile, the weakest first; empty if it is not possible. */
  public List<CopyLevel> writeLevels() {
    return levels(
        level ->
            all(change -> change.allowsWrites(change.asked(level)))
                && !readLevels(Optional.of(level)).isEmpty());
  }

  /**
   * Levels at which reads are safe beside such writes, the weakest first; empty if none is.
   *
   * @param writes level of writes; empty for the W of before
   */
  public List<CopyLevel> readLevels(Optional<CopyLevel> writes) {
    return levels(
        level ->
            all(
                change -> {
                  Asked written = writes.map(change::asked).orElseGet(change::presentWrites);
                  return change.allowsReads(change.asked(level), written, isRepairedFirst);
                }));
  }

  /** Levels of reads, or of writes, with the mix of after, the weakest first. */
  public List<CopyLevel> levelsAfter(boolean reads) {
    return levels(
        level ->
            all(
                change -> {
                  EngineMix mix = change.to();
                  int asked = level.copies(mix.copies());
                  return asked >= (reads ? mix.readQuorum() : mix.writeQuorum())
                      && asked <= mix.copies();
                }));
  }

  private List<CopyLevel> levels(Predicate<CopyLevel> allowed) {
    return CopyLevel.of(byDatacenter.size()).stream()
        .filter(allowed)
        .sorted(
            Comparator.<CopyLevel>comparingInt(level -> strength(level, false))
                .thenComparingInt(level -> strength(level, true)))
        .toList();
  }

  private int strength(CopyLevel level, boolean before) {
    return changes().stream()
        .map(change -> change.asked(level))
        .mapToInt(asked -> before ? asked.before() : asked.after())
        .sum();
  }

  private boolean all(Predicate<MixChange> rule) {
    return changes().stream().allMatch(rule);
  }

  private Collection<MixChange> changes() {
    return new TreeMap<>(byDatacenter).values();
  }
}
