package io.counterpart.cli.cache;

import io.counterpart.cache.control.CodedReport;
import io.counterpart.cache.control.ControlClient;
import io.counterpart.cache.control.TierReport;
import io.counterpart.cli.cache.options.TierOptions;
import io.counterpart.cli.console.PreconditionException;
import io.counterpart.memcached.tier.Tier;
import java.io.IOException;
import java.util.Objects;

/**
 * A coded tier with an answering proxy, at the beginning of a change of its servers.
 *
 * @param report the tier's state when it was found
 */
record RunningTier(
    TierHome home, Tier tier, TierOptions options, ControlClient client, TierReport report)
    implements AutoCloseable {

  /**
   * Finds the tier.
   *
   * @throws PreconditionException if there is none, its servers cannot change, or its proxy does
   *     not answer
   */
  static RunningTier require(TierHome home) {
    Tier tier = Tier.recorded(home.path()).orElseThrow(home::noTier);
    TierOptions options = TierOptions.parse(tier.options(), home.path());
    if (!options.proxy().scheme().isCoded()) {
      throw new PreconditionException(
          "the tier under %s has scheme %s, whose servers cannot be changed while it runs: legal with"
                  .formatted(home.path(), options.proxy().scheme())
              + " --scheme echash");
    }
    if (!tier.isProxyAlive()) {
      throw new PreconditionException(
          "the proxy of the tier under "
              + home.path()
              + " does not run; start it again with: counterpart cache up");
    }
    return connect(home, tier, options);
  }

  private static RunningTier connect(TierHome home, Tier tier, TierOptions options) {
    try {
      TierControl control = TierControl.connect(tier, home);
      return new RunningTier(home, tier, options, control.client(), control.report());
    } catch (IOException e) {
      throw new PreconditionException(String.valueOf(e.getMessage()));
    }
  }

  /**
   * Checks that its servers may change now.
   *
   * @throws PreconditionException if not
   */
  void requireChangeable() {
    if (report.change() != null) {
      throw new PreconditionException(
          "another change is under way, wait for its end: " + report.change());
    }
    CodedReport coded = coded();
    if (coded.ringsDown() >= coded.parityCount()) {
      throw new PreconditionException(
          "%d of %d rings%s have a server that is down, legal while servers change: 0 to %d; start "
                  .formatted(
                      coded.ringsDown(),
                      coded.n(),
                      options.proxy().shards() == 1 ? "" : " of a shard",
                      coded.parityCount() - 1)
              + (hasOwnServers()
                  ? "what has ended with: counterpart cache up"
                  : "those servers again at their addresses, empty if need be"));
    }
  }

  /** The code's part of the report; rings are those of the shard that lacks most. */
  CodedReport coded() {
    return Objects.requireNonNull(report.coded());
  }

  /** Whether cache up started its servers. */
  boolean hasOwnServers() {
    return options.proxy().servers().isEmpty();
  }

  @Override
  public void close() {
    client.close();
  }
}
