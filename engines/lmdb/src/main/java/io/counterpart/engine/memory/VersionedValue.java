package io.counterpart.engine.memory;

import org.jspecify.annotations.Nullable;

/**
 * The value of a key as of a write, with what it had before for as long as a snapshot may ask.
 * Snapshots read it while one writer replaces it.
 */
final class VersionedValue {
  private final long version;
  private final byte @Nullable [] value;
  private volatile @Nullable VersionedValue before;

  /**
   * @param version number of the write
   * @param value null for a deletion
   */
  VersionedValue(long version, byte @Nullable [] value, @Nullable VersionedValue before) {
    this.version = version;
    this.value = value;
    this.before = before;
  }

  long version() {
    return version;
  }

  byte @Nullable [] value() {
    return value;
  }

  @Nullable VersionedValue before() {
    return before;
  }

  /** The value as of a version; null if there was none. */
  byte @Nullable [] asOf(long when) {
    VersionedValue at = this;
    while (at != null && at.version > when) {
      at = at.before;
    }
    return at == null ? null : at.value;
  }

  /**
   * Forgets what no snapshot of a version or later can ask for.
   *
   * @return the first value that is forgotten, with those before it; null if there is none
   */
  @Nullable VersionedValue forgetBefore(long oldest) {
    VersionedValue kept = this;
    while (kept.version > oldest) {
      VersionedValue next = kept.before;
      if (next == null) {
        return null;
      }
      kept = next;
    }
    VersionedValue forgotten = kept.before;
    kept.before = null;
    return forgotten;
  }
}
