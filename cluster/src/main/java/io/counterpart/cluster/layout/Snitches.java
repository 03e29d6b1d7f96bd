package io.counterpart.cluster.layout;

/** Names for {@code endpoint_snitch}. */
public final class Snitches {
  /** Cassandra's own, for production. */
  public static final String USUAL = "GossipingPropertyFileSnitch";

  /** The plugin's, which needs {@code dynamic_snitch: false}. */
  public static final String PRIMARY_FIRST = "io.counterpart.cassandra.locator.PrimaryFirstSnitch";

  private Snitches() {}
}
