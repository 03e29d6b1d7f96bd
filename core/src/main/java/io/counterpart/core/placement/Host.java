package io.counterpart.core.placement;

/**
 * A node that is to have tokens.
 *
 * @param address {@code ip:port}, by which the nodes are ordered
 * @param rack its rack
 */
public record Host(String address, String rack) {
  /** Checks. */
  public Host {
    if (address.isBlank() || rack.isBlank()) {
      throw new IllegalArgumentException(
          "node '%s' in rack '%s', legal: neither is blank".formatted(address, rack));
    }
  }
}
