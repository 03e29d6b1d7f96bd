package io.counterpart.integration;

import io.counterpart.cluster.layout.Ports;
import org.junit.jupiter.api.Timeout;

/** A table on a real MariaDB server. */
@OnUsualPorts
@Timeout(900)
class EngineSqlIT extends EngineOnServer {
  EngineSqlIT() {
    super("sql", Ports.DEFAULT);
  }
}
