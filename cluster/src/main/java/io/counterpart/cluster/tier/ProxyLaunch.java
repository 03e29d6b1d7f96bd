package io.counterpart.cluster.tier;

import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * How the proxy is started.
 *
 * @param command its command line; it must stay in the foreground
 * @param answers whether it serves clients, asked again and again until it does
 */
public record ProxyLaunch(List<String> command, BooleanSupplier answers) {

  public ProxyLaunch {
    command = List.copyOf(command);
  }
}
