package io.counterpart.core.selection;

/**
 * One change of an endpoint's standing.
 *
 * @param fromMicros score that it counted with before, in microseconds
 * @param toMicros score that it counts with from now on
 * @param atNanos monotonic time
 */
public record Switch<E>(
    E endpoint, Reason reason, double fromMicros, double toMicros, long atNanos) {

  /** The reason of a switch. */
  public enum Reason {
    SLOWER("slower in enough snapshots in a row"),
    FASTER("faster for long enough"),
    SILENT("reads wait, and no answer comes"),
    ANSWERS("answers again"),
    RETRIED("no reads for a while, and a ping was answered: takes some rows again");

    private final String text;

    Reason(String text) {
      this.text = text;
    }

    /** For logs and the operator. */
    public String text() {
      return text;
    }
  }
}
