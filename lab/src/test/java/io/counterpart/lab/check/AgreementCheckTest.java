package io.counterpart.lab.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.cluster.RemoteNode;
import io.counterpart.cluster.jmx.JmxEndpoint;
import io.counterpart.lab.measure.ConnectedNodes;
import io.counterpart.lab.workload.TableRef;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.UnicastRemoteObject;
import java.util.List;
import java.util.Map;
import javax.management.MBeanServer;
import javax.management.MBeanServerFactory;
import javax.management.ObjectName;
import javax.management.StandardMBean;
import javax.management.remote.JMXConnectorServer;
import javax.management.remote.JMXConnectorServerFactory;
import javax.management.remote.JMXServiceURL;
import org.junit.jupiter.api.Test;

class AgreementCheckTest {
  /** A meter, as Cassandra shows it. */
  public interface Meter {
    /** Events so far. */
    long getCount();
  }

  @Test
  void counts_the_rows_sent_to_copies_of_the_table() throws Exception {
    MBeanServer beans = MBeanServerFactory.newMBeanServer();
    // what a scan of one table mends: the global count is of reads of single rows
    meter(beans, "type=ReadRepair,name=RepairedBlocking", 0);
    meter(beans, "type=Table,keyspace=lab,scope=own,name=ReadRepairRequests", 3);
    meter(beans, "type=Table,keyspace=lab,scope=other,name=ReadRepairRequests", 40);
    int port = freePort();
    Registry registry = LocateRegistry.createRegistry(port);
    JMXConnectorServer jmx =
        JMXConnectorServerFactory.newJMXConnectorServer(
            new JMXServiceURL("service:jmx:rmi:///jndi/rmi://127.0.0.1:%d/jmxrmi".formatted(port)),
            Map.of(),
            beans);
    jmx.start();
    RemoteNode node =
        new RemoteNode(1, "127.0.0.1", "dc1", new JmxEndpoint("127.0.0.1", port, null));
    try (ConnectedNodes nodes = new ConnectedNodes(List.of(node))) {
      assertThat(new AgreementCheck(nodes).repairs(new TableRef("lab", "own"))).isEqualTo(3);
    } finally {
      jmx.stop();
      UnicastRemoteObject.unexportObject(registry, true);
    }
  }

  private static void meter(MBeanServer beans, String name, long count) throws Exception {
    Meter meter = () -> count;
    beans.registerMBean(
        new StandardMBean(meter, Meter.class),
        new ObjectName("org.apache.cassandra.metrics:" + name));
  }

  private static int freePort() throws Exception {
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      return free.getLocalPort();
    }
  }
}
