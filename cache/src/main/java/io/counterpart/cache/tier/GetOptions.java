package io.counterpart.cache.tier;

import org.jspecify.annotations.Nullable;

/**
 * The effects of a read besides reading.
 *
 * @param value whether the value is wanted
 * @param details whether expiry, idle time and such are wanted; else only flags and version
 * @param binaryKey whether the client writes the key in base64
 * @param exptime the object's new exptime; null to leave it
 * @param vivify exptime of an empty object that is made where there is none; null to make none
 * @param recache an object that expires before this exptime is to be computed anew by one client;
 *     null for no such thing
 * @param order which of these is first: letters of {@code mg}'s flags T, N, R and t (the expiry is
 *     told), as the client has them
 */
public record GetOptions(
    boolean value,
    boolean details,
    boolean binaryKey,
    @Nullable Integer exptime,
    @Nullable Integer vivify,
    @Nullable Integer recache,
    String order) {
  /** Nothing but reading. */
  public static final GetOptions PLAIN = new GetOptions(true, false, false, null, null, null, "");

  /** Reading all that is known of the object. */
  public static final GetOptions DETAILS = new GetOptions(true, true, false, null, null, null, "t");

  /** Whether a classic command does it: whoever sends that is not told that a value is stale. */
  public boolean isClassic() {
    return !details && vivify == null && recache == null && (value || exptime != null);
  }

  /** Reading, and a new exptime. */
  public static GetOptions touching(int exptime) {
    return new GetOptions(true, false, false, exptime, null, null, "T");
  }
}
