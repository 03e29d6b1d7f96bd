package io.counterpart.integration;

import org.junit.jupiter.api.Timeout;

/** A table on a real Redis server. */
@OnThirdPorts
@Timeout(900)
class EngineRedisIT extends EngineOnServer {
  EngineRedisIT() {
    super("redis");
  }
}
