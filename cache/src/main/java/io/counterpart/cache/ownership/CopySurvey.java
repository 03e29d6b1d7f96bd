package io.counterpart.cache.ownership;

import io.counterpart.cache.coding.CodeShape;
import io.counterpart.cache.ring.ServerId;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Decides from the marks of the servers whether a copy of the metadata may be served from. An owner
 * goes on without a copy only when all servers of k rings say so. So the marks of all servers of n
 * − k + 1 rings show the newest set of copies that count. Belongs to the shard's event loop.
 */
public final class CopySurvey {
  private final CodeShape code;
  private final long self;
  private final boolean isOriginal;
  private CopySet newest = CopySet.NONE;

  /** The set in the mark of each server that has answered. */
  private final Map<ServerId, CopySet> seen = new HashMap<>();

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
   * @param isOriginal whether it has neither followed an owner nor ever been one whose set was in
   *     force: then no other copy of these metadata has been served from
   */
  public CopySurvey(CodeShape code, long self, boolean isOriginal) {
    this.code = code;
    this.self = self;
    this.isOriginal = isOriginal;
  }

  /**
   * Takes what a server shows.
   *
   * @param mark of this tier; null if the server has none
   */
  public void saw(ServerId server, @Nullable ServerMark mark) {
    CopySet shown = mark == null ? CopySet.NONE : mark.copies();
    newest = shown.compareTo(newest) > 0 ? shown : newest;
    seen.put(server, shown);
  }

  /**
   * Forgets what a server has shown: it was lost, or a refused command may have dropped its mark,
   * or a newer one.
   */
  public void forget(ServerId server) {
    seen.remove(server);
  }

  /** Whether the copy needs no marks that name it. */
  public boolean isOriginal() {
    return isOriginal;
  }

  /** The newest set that was seen. */
  public CopySet newest() {
    return newest;
  }

  /**
   * Judges the copy, by what the servers show now. An original needs their answers too: those that
   * it does not know may be another tier's.
   *
   * @param rings the servers of each ring
   */
  public Verdict verdict(Collection<? extends Collection<ServerId>> rings) {
    Predicate<ServerId> hasTold = isOriginal ? seen::containsKey : this::hasShown;
    long told = rings.stream().filter(ring -> ring.stream().allMatch(hasTold)).count();
    if (told <= code.parityCount()) {
      return Verdict.UNDECIDED;
    }
    return newest.isSet() && !newest.contains(self) ? Verdict.LACKS : Verdict.COUNTS;
  }

  /**
   * Whether a server's mark tells of copies. One without a set tells nothing: a start that found no
   * mark has written it.
   */
  private boolean hasShown(ServerId server) {
    return seen.getOrDefault(server, CopySet.NONE).isSet();
  }
}
