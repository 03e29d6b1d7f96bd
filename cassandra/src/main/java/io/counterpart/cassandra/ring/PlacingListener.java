package io.counterpart.cassandra.ring;

import java.util.Map;

/** Listens to changes of places. */
public interface PlacingListener<F, P> {
  /** A file got its place in the background. Called under the lock. */
  void placed(F file, P place);

  /** All places are new. Called under the lock. */
  void replaced(Map<F, P> places);

  /** The first files all have their places. Called under the lock. */
  void completed();

  /** A file without notice of its end is gone. Called under the lock. */
  void forgotten(F file);

  /** A file cannot be read and is tried again in a minute. Called without the lock. */
  void failed(F file, Throwable cause, int attempts);

  /** Every file that can be read has its place. Called without the lock. */
  void finished();
}
