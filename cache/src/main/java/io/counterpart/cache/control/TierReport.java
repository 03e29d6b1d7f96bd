package io.counterpart.cache.control;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The state of a tier, as its proxy knows it.
 *
 * @param scheme its name, such as {@code vanilla}
 * @param servers all servers that the proxy knows, by address
 * @param coded null if the scheme has no code
 * @param change the change of servers under way; null if there is none
 */
public record TierReport(
    String scheme,
    List<ServerReport> servers,
    @Nullable CodedReport coded,
    @Nullable ChangeReport change) {

  public TierReport {
    servers = List.copyOf(servers);
  }
}
