package io.counterpart.cli.cache;

import io.counterpart.cache.control.ControlClient;
import io.counterpart.cache.control.TierReport;
import io.counterpart.memcached.tier.Tier;
import io.counterpart.memcached.tier.TierProxy;
import java.io.IOException;

/**
 * The control socket of a tier: that of the first proxy that answers. Any proxy will do, because
 * followers pass commands to the owner.
 *
 * @param report the tier's state when it was found
 */
record TierControl(ControlClient client, TierReport report) implements AutoCloseable {

  /**
   * Asks one proxy after the other.
   *
   * @throws IOException if none answers
   */
  static TierControl connect(Tier tier, TierHome home) throws IOException {
    IOException none = new IOException("no proxy of the tier runs");
    for (TierProxy proxy : tier.proxies()) {
      if (proxy.isAlive()) {
        try {
          return connect(home, proxy);
        } catch (IOException e) {
          none =
              new IOException(
                  "the proxy does not answer on %s: %s"
                      .formatted(home.control(proxy.number()), e.getMessage()),
                  e);
        }
      }
    }
    throw none;
  }

  private static TierControl connect(TierHome home, TierProxy proxy) throws IOException {
    ControlClient client = ControlClient.connect(home.control(proxy.number()));
    try {
      return new TierControl(client, client.report());
    } catch (IOException e) {
      client.close();
      throw e;
    }
  }

  @Override
  public void close() {
    client.close();
  }
}
