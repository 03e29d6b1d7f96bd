package io.counterpart.cache.protocol;

/** The meaning of an exptime on the wire. */
public final class Expiry {

  /** The result of {@link #atSeconds} for an item that stays. */
  public static final long NEVER = 0;

  /** Largest exptime that counts from now; above, exptimes count from 1970. */
  static final int MAX_RELATIVE_SECONDS = 60 * 60 * 24 * 30;

  private Expiry() {}

  /**
   * Time when an item expires: the first second in which it is gone.
   *
   * @param exptime as sent: 0 never, negative at once, up to 30 days from now, above that seconds
   *     since 1970
   * @param nowSeconds since 1970
   * @return seconds since 1970, {@link #NEVER}, or 1 for an item that is gone already
   */
  public static long atSeconds(int exptime, long nowSeconds) {
    if (exptime == 0) {
      return NEVER;
    }
    if (exptime < 0) {
      return 1;
    }
    return exptime > MAX_RELATIVE_SECONDS ? exptime : nowSeconds + exptime;
  }
}
