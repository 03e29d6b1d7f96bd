package io.counterpart.integration;

import org.junit.jupiter.api.Timeout;

/** A table on a real Redis server. */
@OnSecondPorts
@Timeout(900)
class EngineRedisIT extends EngineOnServer {
  EngineRedisIT() {
    super("redis", Shape.SECOND_PORTS);
  }
}
