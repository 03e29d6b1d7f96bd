package io.counterpart.integration;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.ClassOrderer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.TestClassOrder;
import org.junit.jupiter.api.TestInstance;

/** Levels of reads on one real cluster: first all its nodes live, then they are lost. */
@OnThirdPorts
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestClassOrder(ClassOrderer.OrderAnnotation.class)
class ConsistencyIT {
  private ConsistencyCluster cluster;

  @BeforeAll
  void start() throws Exception {
    cluster = ConsistencyCluster.start();
  }

  @AfterAll
  void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  @Nested
  @Order(1)
  class Levels extends ConsistencyLevels {
    @Override
    ConsistencyCluster cluster() {
      return cluster;
    }
  }

  @Nested
  @Order(2)
  class Faults extends ConsistencyFaults {
    @Override
    ConsistencyCluster cluster() {
      return cluster;
    }
  }
}
