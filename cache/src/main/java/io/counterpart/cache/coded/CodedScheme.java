package io.counterpart.cache.coded;

import io.counterpart.cache.coded.parity.ClientReads;
import io.counterpart.cache.coded.parity.ShardServices;
import io.counterpart.cache.coded.repair.BatchedRepair;
import io.counterpart.cache.coded.repair.ObjectRepair;
import io.counterpart.cache.coded.scaling.Migration;
import io.counterpart.cache.coded.scaling.Relocation;
import io.counterpart.cache.coded.settings.CodedSettings;
import io.counterpart.cache.coded.settings.ServerMap;
import io.counterpart.cache.metadata.Topology;
import java.util.function.Function;

/**
 * The parts of a shard in which published schemes differ. The tier has {@link #ECHASH}; the lab
 * compares it with others.
 *
 * @param maps where the chunks of stripes are
 * @param migrations how objects move when servers change
 * @param reads how clients' requests find objects
 * @param repairs how the objects of a lost server are restored
 */
public record CodedScheme(
    Maps maps,
    Migrations migrations,
    Function<ShardServices, ClientReads> reads,
    ObjectRepair.Maker repairs) {
  /**
   * n rings of servers: a chunk belongs to a ring, and its objects to whichever servers of the ring
   * their keys have. Objects are copied, then deleted. Paper: ECHash §3, §4.
   */
  public static final CodedScheme ECHASH =
      new CodedScheme(
          new Maps() {
            @Override
            public ServerMap of(CodedSettings settings) {
              return settings.newServers();
            }

            @Override
            public ServerMap of(CodedSettings settings, Topology known) {
              return settings.servers(known);
            }
          },
          Relocation::new,
          ShardServices::reads,
          BatchedRepair::new);

  /** Makes the map of a shard's servers. */
  public interface Maps {
    /**
     * The map of a new shard.
     *
     * @throws IllegalArgumentException if the servers are too many or too few
     */
    ServerMap of(CodedSettings settings);

    /**
     * The map of an existing shard.
     *
     * @throws IllegalArgumentException if it is of another scheme or code
     */
    ServerMap of(CodedSettings settings, Topology known);
  }

  /** Makes the work on stripes for one wave of a change of servers. */
  @FunctionalInterface
  public interface Migrations {
    /**
     * Begins with the wave: servers have just changed.
     *
     * @param resumed whether the wave began before a restart
     */
    Migration.Step make(ShardServices services, boolean resumed);
  }
}
