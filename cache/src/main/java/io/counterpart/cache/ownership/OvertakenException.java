package io.counterpart.cache.ownership;

import java.io.IOException;

/** The tier, or one of its servers, belongs to another owner. */
public final class OvertakenException extends IOException {
  private static final long serialVersionUID = 1L;

  private final boolean isByOwnTier;

  /** The reason of a server. */
  public OvertakenException(Refusal refusal) {
    super(refusal.why());
    this.isByOwnTier = refusal.isByOwnTier();
  }

  /** Whether the tier goes on elsewhere: with another start of it. */
  public boolean isByOwnTier() {
    return isByOwnTier;
  }
}
