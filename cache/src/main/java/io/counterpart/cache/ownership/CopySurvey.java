package io.counterpart.cache.ownership;

import io.counterpart.cache.coding.CodeShape;
import io.counterpart.cache.ring.ServerId;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Decides from the marks of the servers whether a copy of the metadata may be served from. An owner
 * goes on without a copy only when all servers of k rings say so. So the marks of all servers of n
 * − k + 1 rings show the newest set of copies that count. Belongs to the shard's event loop.
 */
public final class CopySurvey {
  private final CodeShape code;
  private final long self;

  /** The newest set in the marks of each server that has answered; empty if it has no mark. */
  private final Map<ServerId, Optional<CopySet>> seen = new HashMap<>();

  /** The newest set when this copy was found to count; null before. */
  private @Nullable CopySet counted;

  /** The standing of a copy. */
  public enum Verdict {
    /** Too few servers have answered. */
    UNDECIDED,
    /** The copy has all that was ever relied on. */
    COUNTS,
    /** It may lack something. */
    LACKS
  }

  /**
   * @param self the copy
   */
  public CopySurvey(CodeShape code, long self) {
    this.code = code;
    this.self = self;
  }

  /**
   * Takes what a server shows.
   *
   * @param mark of this tier; null if the server has none
   */
  public void saw(ServerId server, @Nullable ServerMark mark) {
    Optional<CopySet> shown = Optional.ofNullable(mark).map(ServerMark::copies);
    seen.merge(server, shown, CopySurvey::newer);
  }

  private static Optional<CopySet> newer(Optional<CopySet> one, Optional<CopySet> other) {
    if (one.isEmpty() || other.isEmpty()) {
      return one.isEmpty() ? other : one;
    }
    return one.get().compareTo(other.get()) > 0 ? one : other;
  }

  /** The newest set that was seen. */
  public CopySet newest() {
    return seen.values().stream()
        .flatMap(Optional::stream)
        .max(Comparator.naturalOrder())
        .orElse(CopySet.NONE);
  }

  /**
   * Judges the copy. A verdict for it holds until a newer set is seen.
   *
   * @param rings the servers of each ring
   */
  public Verdict verdict(Collection<? extends Collection<ServerId>> rings) {
    CopySet newest = newest();
    if (newest.equals(counted)) {
      return Verdict.COUNTS;
    }
    long shown =
        rings.stream()
            .filter(ring -> ring.stream().allMatch(server -> hasShown(server, newest.isSet())))
            .count();
    // without any set there was never an owner that waited for copies
    boolean isNoneAnywhere =
        !newest.isSet() && rings.stream().flatMap(Collection::stream).allMatch(seen::containsKey);
    if (shown <= code.parityCount() && !isNoneAnywhere) {
      return Verdict.UNDECIDED;
    }
    if (newest.isSet() && !newest.contains(self)) {
      return Verdict.LACKS;
    }
    counted = newest;
    return Verdict.COUNTS;
  }

  /**
   * Whether a server's mark tells of copies. One without a set tells nothing in a tier that keeps
   * copies: a start that found no mark has written it.
   */
  private boolean hasShown(ServerId server, boolean isSetNeeded) {
    return Objects.requireNonNullElse(seen.get(server), Optional.<CopySet>empty())
        .filter(set -> set.isSet() || !isSetNeeded)
        .isPresent();
  }
}
