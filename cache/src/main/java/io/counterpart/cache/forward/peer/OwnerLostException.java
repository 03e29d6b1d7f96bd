package io.counterpart.cache.forward.peer;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Signals that the owner does not answer any more, or not as an owner. */
public final class OwnerLostException extends IOException {
  private static final long serialVersionUID = 1L;

  OwnerLostException(String why, @Nullable Throwable cause) {
    super(why, cause);
  }
}
