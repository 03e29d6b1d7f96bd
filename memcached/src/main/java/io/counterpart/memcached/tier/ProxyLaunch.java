package io.counterpart.memcached.tier;

import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * The command line and files of a proxy's start.
 *
 * @param command its command line; it must stay in the foreground
 * @param answers probe whether it serves clients, repeated until it does
 * @param limit longest time until it serves clients
 */
public record ProxyLaunch(List<String> command, BooleanSupplier answers, Duration limit) {

  public ProxyLaunch {
    command = List.copyOf(command);
  }
}
