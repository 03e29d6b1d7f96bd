package io.counterpart.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.cluster.jmx.JmxEndpoint;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.UnicastRemoteObject;
import java.util.Map;
import java.util.Optional;
import javax.management.remote.JMXAuthenticator;
import javax.management.remote.JMXConnectorServer;
import javax.management.remote.JMXConnectorServerFactory;
import javax.management.remote.JMXServiceURL;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PluginSurveyTest {

  @Test
  void a_node_whose_jmx_wants_a_login_is_one_finding_beside_the_others(@TempDir Path lib)
      throws Exception {
    int port = freePort();
    Registry registry = LocateRegistry.createRegistry(port);
    JMXAuthenticator closed =
        credentials -> {
          throw new SecurityException("Authentication failed! Credentials required");
        };
    JMXConnectorServer jmx =
        JMXConnectorServerFactory.newJMXConnectorServer(
            new JMXServiceURL("service:jmx:rmi:///jndi/rmi://127.0.0.1:%d/jmxrmi".formatted(port)),
            Map.of(JMXConnectorServer.AUTHENTICATOR, closed),
            ManagementFactory.getPlatformMBeanServer());
    jmx.start();
    try {
      PluginSurvey survey = new PluginSurvey(Optional.empty());

      survey.examine(new JmxEndpoint("127.0.0.1", port, null));
      survey.examine(lib);

      assertThat(survey.findings()).extracting(Finding::ok).containsExactly(false, false);
      assertThat(survey.findings().get(0).found())
          .startsWith("no JMX on 127.0.0.1:%d: ".formatted(port))
          .contains("Credentials required");
    } finally {
      jmx.stop();
      UnicastRemoteObject.unexportObject(registry, true);
    }
  }

  @Test
  void without_a_jar_of_ours_nodes_are_compared_with_the_first() {
    PluginSurvey survey = new PluginSurvey(Optional.empty());

    survey.examineClassPath("a", "/lib/x.jar:/lib/counterpart-cassandra-0.1.0.jar");
    survey.examineClassPath("b", "/lib/counterpart-cassandra-0.2.0.jar");

    assertThat(survey.findings()).extracting(Finding::ok).containsExactly(true, false);
    assertThat(survey.findings().get(1).advice())
        .startsWith("exactly counterpart-cassandra-0.1.0.jar is wanted");
  }

  private static int freePort() throws Exception {
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      return free.getLocalPort();
    }
  }
}
