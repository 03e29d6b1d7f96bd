package io.counterpart.cluster.layout;

import java.util.regex.Pattern;

/** A node's datacenter and rack, as gossip announces them. */
public record Location(String dc, String rack) {

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]{1,48}");

  /** Also {@code server/class}, of nodes with storage engines of different classes. */
  private static final Pattern RACK = Pattern.compile("[A-Za-z0-9_/-]{1,48}");

  /** The location of every node unless the spec says otherwise. */
  public static final Location DEFAULT = new Location("dc1", "rack1");

  public Location {
    requireName("datacenter", dc, NAME, "");
    requireName("rack", rack, RACK, ", '/'");
  }

  private static void requireName(String what, String name, Pattern legal, String more) {
    if (!legal.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "%s '%s' is not a name of 1 to 48 letters, digits%s, '_' or '-'"
              .formatted(what, name, more));
    }
  }
}
