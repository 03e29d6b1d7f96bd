package io.counterpart.driver;

import com.datastax.oss.driver.api.core.metadata.token.Token;

/**
 * The number by which redundant copies share the rows of a primary that is avoided. It is the
 * number that {@code PrimaryFirstSnitch} computes for the same token: the coordinator chosen here
 * is then the replica that its snitch would ask, and no request travels twice. (Tokens of the
 * Murmur3 partitioner only; under others the two choices are independent.)
 */
final class RowHash {
  private RowHash() {}

  /** Murmur3 of the token's 32-bit hash, without its sign bit: not negative. */
  static int of(Token token) {
    return murmur3(token.hashCode()) >>> 1;
  }

  /** Murmur3, 32 bits, seed 0, of one block of four bytes. */
  private static int murmur3(int block) {
    int mixed = Integer.rotateLeft(block * 0xcc9e2d51, 15) * 0x1b873593;
    int hash = Integer.rotateLeft(mixed, 13) * 5 + 0xe6546b64;
    hash ^= Integer.BYTES;
    hash = (hash ^ (hash >>> 16)) * 0x85ebca6b;
    hash = (hash ^ (hash >>> 13)) * 0xc2b2ae35;
    return hash ^ (hash >>> 16);
  }
}
