package io.counterpart.cache.ownership;

import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The copies of a shard's metadata that count: each has all that the owner relies on. Only a copy
 * of the newest set may be served from. Immutable.
 *
 * @param epoch of the start that set it; 0 if no set ever was
 * @param version among the sets of that start, from 1
 * @param ids of the copies, the owner's included
 */
public record CopySet(int epoch, int version, SortedSet<Long> ids) implements Comparable<CopySet> {
  /** Of a tier that keeps no copies. */
  public static final CopySet NONE = new CopySet(0, 0, new TreeSet<>());

  /** Most copies of a set. */
  public static final int MOST = 16;

  private static final Pattern TEXT =
      Pattern.compile("(\\d{1,8})\\.(\\d{1,9}):([0-9a-f]{16}(?:,[0-9a-f]{16}){0,15})");
  private static final int HEX = 16;

  /** Copies the ids. */
  public CopySet {
    ids = Collections.unmodifiableSortedSet(new TreeSet<>(ids));
  }

  /** The next set of a start. */
  public CopySet next(int ofEpoch, Collection<Long> copies) {
    return new CopySet(ofEpoch, ofEpoch == epoch ? version + 1 : 1, new TreeSet<>(copies));
  }

  /** Whether it was ever set. */
  public boolean isSet() {
    return epoch > 0;
  }

  /** Whether a copy counts. */
  public boolean contains(long copy) {
    return ids.contains(copy);
  }

  static Optional<CopySet> parse(String text) {
    Matcher parts = TEXT.matcher(text);
    if (!parts.matches()) {
      return Optional.empty();
    }
    TreeSet<Long> ids = new TreeSet<>();
    for (String id : parts.group(3).split(",")) {
      ids.add(Long.parseUnsignedLong(id, HEX));
    }
    return Optional.of(
        new CopySet(Integer.parseInt(parts.group(1)), Integer.parseInt(parts.group(2)), ids));
  }

  /** Later sets are greater. */
  @Override
  public int compareTo(CopySet other) {
    return Comparator.comparingInt(CopySet::epoch)
        .thenComparingInt(CopySet::version)
        .compare(this, other);
  }

  /** The name of a copy for people: 16 hexadecimal digits. */
  public static String name(long copy) {
    return "%016x".formatted(copy);
  }

  /** As in marks, such as {@code 7.2:00a1…,00b2…}. */
  @Override
  public String toString() {
    return epoch
        + "."
        + version
        + ":"
        + ids.stream().map(CopySet::name).collect(Collectors.joining(","));
  }
}
