package io.counterpart.core.staleness.decide;

import java.util.Optional;

/**
 * A read as its client sent it.
 *
 * @param sessionWroteKey the session may have written the partition lately
 * @param page of the result that is asked for
 */
public record ReadRequest(
    ReadLevel clientLevel, ReadShape shape, RequestWish wish, boolean sessionWroteKey, Page page) {
  /** Whether a decision about it holds for other partitions of its replicas as well. */
  public boolean isPlain() {
    return wish.equals(RequestWish.NONE) && !sessionWroteKey && !page.later();
  }

  /**
   * A page of a result.
   *
   * @param later not the first one
   * @param firstPageLevel of a later page: the level used for the first one, empty if this
   *     coordinator does not know it
   */
  public record Page(boolean later, Optional<ReadLevel> firstPageLevel) {
    /** The first page, or a result without pages. */
    public static final Page FIRST = new Page(false, Optional.empty());

    /** A later page. */
    public static Page later(Optional<ReadLevel> firstPageLevel) {
      return new Page(true, firstPageLevel);
    }
  }
}
