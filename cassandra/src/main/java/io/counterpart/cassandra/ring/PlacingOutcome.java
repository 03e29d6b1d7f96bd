package io.counterpart.cassandra.ring;

import java.io.IOError;
import org.jspecify.annotations.Nullable;

/** The outcome of one file in a turn. */
record PlacingOutcome<F, P>(F file, @Nullable P place, @Nullable Throwable failure) {
  static <F, P> PlacingOutcome<F, P> of(F file, PlacingRules<F, P> rules) {
    try {
      return new PlacingOutcome<>(file, rules.byContent(file), null);
    } catch (RuntimeException | IOError | AssertionError unreadable) {
      return new PlacingOutcome<>(file, null, unreadable);
    }
  }
}
