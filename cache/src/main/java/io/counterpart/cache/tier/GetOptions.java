package io.counterpart.cache.tier;

import org.jspecify.annotations.Nullable;

/**
 * The effects of a read besides reading.
 *
 * @param value whether the value is wanted
 * @param details whether expiry, idle time and such are wanted; else only flags and version
 * @param binaryKey whether the client writes the key in base64
 * @param exptime the object's new exptime; null to leave it
 * @param vivify exptime of an empty object to create where there is none; null to create none
 * @param recache exptime: one client is to recompute an object that expires before it; null for
 *     none
 * @param order the client's order of these effects: letters of {@code mg}'s flags T, N, R and t
 *     (the answer has the expiry)
 */
public record GetOptions(
    boolean value,
    boolean details,
    boolean binaryKey,
    @Nullable Integer exptime,
    @Nullable Integer vivify,
    @Nullable Integer recache,
    String order) {
  /** A plain read. */
  public static final GetOptions PLAIN = new GetOptions(true, false, false, null, null, null, "");

  /** A read with all properties of the object. */
  public static final GetOptions DETAILS = new GetOptions(true, true, false, null, null, null, "t");

  /** The same, but where there is no object it creates none. */
  public GetOptions withoutVivifying() {
    return vivify == null
        ? this
        : new GetOptions(value, details, binaryKey, exptime, null, recache, order);
  }

  /** Whether a classic command does it, whose client does not learn that a value is stale. */
  public boolean isClassic() {
    return !details && vivify == null && recache == null && (value || exptime != null);
  }

  /** A read with a new exptime. */
  public static GetOptions touching(int exptime) {
    return new GetOptions(true, false, false, exptime, null, null, "T");
  }
}
