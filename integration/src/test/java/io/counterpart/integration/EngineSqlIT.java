package io.counterpart.integration;

import org.junit.jupiter.api.Timeout;

/** A table on a real MariaDB server. */
@OnThirdPorts
@Timeout(900)
class EngineSqlIT extends EngineOnServer {
  EngineSqlIT() {
    super("sql");
  }
}
