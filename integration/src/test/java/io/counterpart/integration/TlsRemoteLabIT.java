package io.counterpart.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.counterpart.cluster.ContactPoint;
import io.counterpart.lab.remote.RemoteAccess;
import io.counterpart.lab.remote.RemoteCertificates;
import io.counterpart.lab.remote.RemoteCluster;
import io.counterpart.lab.remote.RemoteTls;
import io.counterpart.lab.result.LabResult;
import io.counterpart.lab.result.ResultJson;
import io.counterpart.lab.setup.RunRefusedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Experiments on a cluster that somebody else runs, and that wants TLS and a login. */
@OnCluster(Shape.TRANSIENT_REPLICATION)
class TlsRemoteLabIT {
  private static final int JMX_PORT = 7399;

  @TempDir private Path directory;

  @Test
  void measures_over_encrypted_connections_alone(TestCluster cluster) throws Exception {
    NodeTls tls = new NodeTls(Shape.TLS);
    tls.openJmx(cluster.node(1), JMX_PORT);
    Launcher launcher = new Launcher(directory);
    Path kept = directory.resolve("kept");
    List<String> run =
        List.of(
            "lab",
            "custom",
            "--mix=read",
            "--arms=lcs",
            "--rf=1",
            "--rows=1000",
            "--operations=200",
            "--repeats=1",
            "--warm-ups=0",
            "--no-live",
            "--out=" + kept,
            "--contact-points=127.0.0.1:" + Shape.PORTS.cql(),
            "--jmx-port=" + JMX_PORT,
            "--tls",
            "--tls-ca=" + tls.file("node.crt"),
            "--tls-certificate=" + tls.file("client.crt"),
            "--tls-key=" + tls.file("client.key"),
            "--jmx-user=" + NodeTls.USER,
            "--jmx-password-file=" + tls.file("password"));

    Launcher.Outcome plainJmx = launcher.run(run);
    launcher.run(run, "--jmx-tls").ok();

    assertThat(plainJmx.exitCode()).isEqualTo(3);
    assertThat(plainJmx.err())
        .contains("node 127.0.0.1: no JMX on 127.0.0.1:" + JMX_PORT, "--jmx-tls");
    LabResult result = new ResultJson().read(kept.resolve("result.json"), LabResult.class);
    assertThat(result.clean()).isTrue();
    assertThat(result.checked()).isEqualTo(1000);
    assertThat(result.config()).containsEntry("encryption", "CQL and JMX");
    assertThat(Files.readString(kept.resolve("result.json"))).doesNotContain(NodeTls.PASSWORD);
  }

  @Test
  void who_does_not_know_the_node_or_is_not_known_to_it_is_refused(TestCluster cluster)
      throws Exception {
    assertThat(cluster.live()).hasSize(1);
    NodeTls tls = new NodeTls(Shape.TLS);
    Path node = tls.file("node.crt");
    Path client = tls.file("client.crt");

    refused("127.0.0.1", over(tls.file("stranger.crt"), client), "certification path");
    refused("127.0.0.1", over(node, tls.file("stranger.crt")), "no contact point answers CQL");
    refused("127.0.0.1", over(node, null), "no contact point answers CQL over TLS");
    refused("localhost", over(node, client), "No name matching localhost found");
  }

  /** Both directions: who is trusted, and who asks. */
  private static RemoteTls over(Path authorities, Path certificate) throws Exception {
    Path key =
        certificate == null
            ? null
            : Path.of(certificate.toString().replaceFirst("\\.crt$", ".key"));
    return RemoteTls.of(true, false, true, new RemoteCertificates(authorities, certificate, key));
  }

  private static void refused(String host, RemoteTls tls, String message) {
    RemoteAccess access =
        new RemoteAccess(
            List.of(new ContactPoint(host, Shape.PORTS.cql())),
            null,
            null,
            OptionalInt.empty(),
            null,
            tls);
    assertThatThrownBy(() -> RemoteCluster.survey(access))
        .isInstanceOf(RunRefusedException.class)
        .hasMessageContaining("no contact point answers CQL over TLS")
        .hasMessageContaining(message);
  }
}
