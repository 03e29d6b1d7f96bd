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
 * @param shards all shards by number, if there are several; else empty
 */
public record TierReport(
    String scheme,
    List<ServerReport> servers,
    @Nullable CodedReport coded,
    @Nullable ChangeReport change,
    List<ShardReport> shards) {

  public TierReport {
    servers = List.copyOf(servers);
    shards = List.copyOf(shards);
  }

  /** Of a tier of one shard. */
  public TierReport(
      String scheme,
      List<ServerReport> servers,
      @Nullable CodedReport coded,
      @Nullable ChangeReport change) {
    this(scheme, servers, coded, change, List.of());
  }
}
