package io.counterpart.cache.ownership;

/**
 * The copies of a shard's metadata on several machines.
 *
 * @param self id of the copy in this process's directory
 * @param most copies that shall count, this one included; 1 to {@link CopySet#MOST}
 * @param isOriginal see {@link CopySurvey}
 */
public record CopySettings(long self, int most, boolean isOriginal) {
  /**
   * Validates the components.
   *
   * @throws IllegalArgumentException with the value and the legal range
   */
  public CopySettings {
    if (most < 1 || most > CopySet.MOST) {
      throw new IllegalArgumentException(
          "%d copies of the metadata, legal: 1 to %d".formatted(most, CopySet.MOST));
    }
  }
}
