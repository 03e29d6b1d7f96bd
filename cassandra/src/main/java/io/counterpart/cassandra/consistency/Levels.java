package io.counterpart.cassandra.consistency;

import io.counterpart.core.staleness.decide.ReadLevel;
import java.util.function.Function;
import org.apache.cassandra.db.ConsistencyLevel;
import org.jspecify.annotations.Nullable;

/** Cassandra's consistency levels ↔ those of decisions. Stateless. */
final class Levels {
  private Levels() {}

  static ReadLevel read(@Nullable ConsistencyLevel level) {
    if (level == null) {
      return ReadLevel.OTHER;
    }
    return switch (level) {
      case ONE -> ReadLevel.ONE;
      case TWO -> ReadLevel.TWO;
      case THREE -> ReadLevel.THREE;
      case QUORUM -> ReadLevel.QUORUM;
      case ALL -> ReadLevel.ALL;
      case LOCAL_ONE -> ReadLevel.LOCAL_ONE;
      case LOCAL_QUORUM -> ReadLevel.LOCAL_QUORUM;
      case ANY, EACH_QUORUM, SERIAL, LOCAL_SERIAL, NODE_LOCAL -> ReadLevel.OTHER;
    };
  }

  /**
   * The level at which a write that asks for one is known to be made.
   *
   * @param delegates whether another handler comes behind this one, which may choose another level
   */
  static Function<ConsistencyLevel, ReadLevel> ofWrites(boolean delegates) {
    return delegates ? level -> ReadLevel.OTHER : Levels::read;
  }

  /** Not for {@link ReadLevel#OTHER}, which stands for several. */
  static ConsistencyLevel cassandra(ReadLevel level) {
    return ConsistencyLevel.valueOf(level.name());
  }
}
