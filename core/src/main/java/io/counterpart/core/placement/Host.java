package io.counterpart.core.placement;

/**
 * A node that is to have tokens.
 *
 * @param address {@code ip:port}, by which the nodes are ordered
 * @param rack its rack
 */
public record Host(String address, String rack) {
  /** Checks. Cassandra takes a rack without a name for one. */
  public Host {
    if (address.isBlank()) {
      throw new IllegalArgumentException("address is '%s', legal: not blank".formatted(address));
    }
  }
}
