package io.counterpart.cassandra.consistency.guard;

import java.util.function.Supplier;
import org.apache.cassandra.service.ClientWarn;

/**
 * Runs what Cassandra runs for the request as well, without its warnings: the client would get each
 * of them twice. Stateless.
 */
public final class Unwarned {
  private Unwarned() {}

  /** The supplier's value; its warnings reach no client. */
  public static <T> T call(Supplier<T> ours) {
    ClientWarn.State warnings = ClientWarn.instance.get();
    ClientWarn.instance.set(null);
    try {
      return ours.get();
    } finally {
      ClientWarn.instance.set(warnings);
    }
  }
}
