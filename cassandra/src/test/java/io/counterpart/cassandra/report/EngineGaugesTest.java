package io.counterpart.cassandra.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.util.function.LongSupplier;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class EngineGaugesTest {
  private final MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
  private final EngineGauges gauges = new EngineGauges();

  @BeforeAll
  static void cassandra_needs_its_defaults() {
    DatabaseDescriptor.clientInitialization(false);
  }

  @Test
  void a_table_has_a_gauge_as_long_as_it_has_stores() throws Exception {
    LongSupplier lmdb = () -> 3;
    LongSupplier memory = () -> 40;
    LongSupplier other = () -> 500;
    gauges.add("ks", "t", lmdb);
    gauges.add("ks", "u", other);
    assertThat(bytes("ks.t")).isEqualTo(3);

    // ALTER from one engine to another: the old stores leave with the end of a spill
    gauges.add("ks", "t", memory);
    assertThat(bytes("ks.t")).isEqualTo(43);
    gauges.remove("ks", "t", lmdb);
    assertThat(bytes("ks.t")).isEqualTo(40);
    gauges.remove("ks", "t", memory);

    assertThat(beans.isRegistered(name("ks.t"))).isFalse();
    assertThat(bytes("ks.u")).isEqualTo(500);
    gauges.remove("ks", "u", other);
    assertThat(beans.isRegistered(name("ks.u"))).isFalse();
  }

  /** DROP and CREATE: the end of the dropped table may come late. */
  @Test
  void a_table_made_again_keeps_its_gauge() throws Exception {
    LongSupplier dropped = () -> 3;
    LongSupplier created = () -> 40;
    gauges.add("ks", "again", dropped);
    gauges.remove("ks", "again", dropped);
    gauges.add("ks", "again", created);

    gauges.remove("ks", "again", dropped);

    assertThat(bytes("ks.again")).isEqualTo(40);
    gauges.remove("ks", "again", created);
  }

  private long bytes(String scope) throws JMException {
    return (long) beans.getAttribute(name(scope), "Value");
  }

  private static ObjectName name(String scope) throws JMException {
    return new ObjectName(
        "org.apache.cassandra.metrics:type=Counterpart,scope=" + scope + ",name=EngineBytes");
  }
}
