package io.counterpart.cache.control;

/**
 * The state of one server of a tier, as the proxy knows it.
 *
 * @param address {@code host:port}
 * @param ring of the shard, from 0; −1 if it is in none
 * @param state {@code up}, {@code restoring} (used, but some of its items are still missing),
 *     {@code joining} (connected, but not used yet) or {@code down}
 * @param losses number of times that the connection was lost
 * @param shard from 0; 0 if the tier has only one
 */
public record ServerReport(String address, int ring, String state, long losses, int shard) {

  /** Whether the proxy uses it. */
  public boolean isUsed() {
    return state.equals("up") || state.equals("restoring");
  }
}
