package io.counterpart.lab.staleness.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.ExecutionInfo;
import io.counterpart.core.staleness.decide.ReadLevel;
import java.nio.ByteBuffer;
import java.util.Map;

/** The level that a read was made at, which may differ from the client's. Stateless. */
public final class UsedLevel {
  /** A wish that changes nothing, so that the node tells the level. */
  static final Map<String, ByteBuffer> ASKING = Map.of("max_stale_ms", UTF_8.encode("0"));

  private UsedLevel() {}

  /** Replicas that an answered read waited for: of the client's level unless the node says else. */
  static int replicas(ExecutionInfo answer, ConsistencyLevel client, int all) {
    ByteBuffer told = answer.getIncomingPayload().get("cr_level");
    String level = told == null ? client.name() : UTF_8.decode(told.duplicate()).toString();
    return ReadLevel.valueOf(level).reads(all);
  }

  /**
   * The level that waits for so many of all replicas: ONE, TWO, THREE, or QUORUM.
   *
   * @throws IllegalArgumentException if none of these does
   */
  public static DefaultConsistencyLevel waitingFor(int wanted, int all) {
    for (ReadLevel level :
        new ReadLevel[] {ReadLevel.ONE, ReadLevel.TWO, ReadLevel.THREE, ReadLevel.QUORUM}) {
      if (level.reads(all) == wanted) {
        return DefaultConsistencyLevel.valueOf(level.name());
      }
    }
    throw new IllegalArgumentException(
        "%d of %d replicas, legal: 1 to 3, or more than half".formatted(wanted, all));
  }
}
