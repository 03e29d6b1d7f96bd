package io.counterpart.lab.tier.arm;

import io.counterpart.cache.coded.CodedShard;
import io.counterpart.cache.coded.CodedStatus;
import io.counterpart.cache.ring.ServerId;
import io.counterpart.lab.result.SampledMeasure;
import io.counterpart.lab.run.ArmServers;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The state of a shard at one moment.
 *
 * @param status its own
 * @param counted since its start
 * @param evicted objects since then
 */
record TierState(CodedStatus status, Map<String, Long> counted, long evicted) {
  private static final int NO_RING = -1;

  /** On the shard's event loop. */
  static TierState of(CodedShard shard) {
    return new TierState(
        shard.status(), ShardCounters.of(shard), shard.statistics().evictedObjects().sum());
  }

  /** By the names in samples. */
  Map<String, Double> measures() {
    Map<String, Double> measures = new LinkedHashMap<>();
    measures.put(SampledMeasure.JOURNAL_BYTES, (double) status.journalBytes());
    measures.put(SampledMeasure.OPEN_STRIPES, (double) status.openStripes());
    measures.put(SampledMeasure.EVICTED_OBJECTS, (double) evicted);
    measures.put(SampledMeasure.STRIPES_TO_MOVE, (double) status.stripesToMove());
    measures.put(SampledMeasure.STRIPES_TO_RESTORE, (double) status.stripesToRestore());
    long away =
        status.servers().stream()
            .filter(server -> server.state() != CodedStatus.ServerState.UP)
            .count();
    measures.put(SampledMeasure.SERVERS_NOT_UP, (double) away);
    return measures;
  }

  /** All servers of an arm, those that the tier does not have included. */
  ArmServers servers(String arm, TierServers all) {
    Map<ServerId, ArmServers.Server> known = new LinkedHashMap<>();
    for (CodedStatus.Server server : status.servers()) {
      known.put(
          server.id(),
          new ArmServers.Server(
              server.id().toString(),
              server.ring(),
              server.state().name().toLowerCase(Locale.ROOT)));
    }
    return new ArmServers(
        arm, all.ids().stream().map(id -> known.getOrDefault(id, spare(id))).toList());
  }

  /** The servers of a tier without rings, or of another process. */
  static ArmServers serversWithoutRings(String arm, TierServers all, int used) {
    List<ServerId> ids = all.ids();
    return new ArmServers(
        arm,
        ids.stream()
            .map(
                id ->
                    ids.indexOf(id) < used
                        ? new ArmServers.Server(id.toString(), NO_RING, ArmServers.UP)
                        : spare(id))
            .toList());
  }

  private static ArmServers.Server spare(ServerId id) {
    return new ArmServers.Server(id.toString(), NO_RING, ArmServers.SPARE);
  }
}
