package io.counterpart.cache.ring;

/**
 * The name of one memcached server, such as {@code 127.0.0.1:11211}. The name alone determines the
 * positions of the server's virtual nodes, so it must survive restarts.
 *
 * @param name 1 to 255 printable ASCII characters without a space
 */
public record ServerId(String name) implements Comparable<ServerId> {
  private static final int MAX_LENGTH = 255;

  public ServerId {
    boolean printable = name.chars().allMatch(c -> c > ' ' && c < 0x7f);
    if (name.isEmpty() || name.length() > MAX_LENGTH || !printable) {
      throw new IllegalArgumentException(
          "server '"
              + name
              + "', legal: 1 to "
              + MAX_LENGTH
              + " printable ASCII characters without a space");
    }
  }

  @Override
  public int compareTo(ServerId other) {
    return name.compareTo(other.name);
  }

  @Override
  public String toString() {
    return name;
  }
}
