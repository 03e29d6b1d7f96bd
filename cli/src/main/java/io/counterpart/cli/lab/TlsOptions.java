package io.counterpart.cli.lab;

import io.counterpart.lab.remote.RemoteCertificates;
import io.counterpart.lab.remote.RemoteTls;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * Options of encryption to a cluster that somebody else runs: which connections, which
 * certificates.
 */
final class TlsOptions {
  @Option(names = "--tls", description = "CQL over TLS")
  private boolean cql;

  @Option(names = "--jmx-tls", description = "JMX over TLS")
  private boolean jmx;

  @Option(
      names = "--tls-ca",
      description =
          "PEM: authorities that nodes' certificates lead to, or these themselves; default: the"
              + " JDK's",
      paramLabel = "FILE")
  private @Nullable Path authorities;

  @Option(
      names = "--tls-certificate",
      description = "PEM: certificate for nodes that ask for one",
      paramLabel = "FILE")
  private @Nullable Path certificate;

  @Option(
      names = "--tls-key",
      description = "PEM: that certificate's key, PKCS #8 without a password",
      paramLabel = "FILE")
  private @Nullable Path key;

  @Option(
      names = "--tls-any-name",
      description =
          "take certificates that do not name what CQL reaches a node by; JMX takes them anyway")
  private boolean anyName;

  /**
   * What the options say; the files are read.
   *
   * @throws IllegalArgumentException if they do not fit together, or a file is not what it should
   *     be
   */
  @Nullable RemoteTls tls() {
    if (!cql && !jmx) {
      requireNone("--tls-ca", authorities);
      requireNone("--tls-certificate", certificate);
      requireNone("--tls-key", key);
    }
    if (anyName && !cql) {
      throw new IllegalArgumentException("--tls-any-name: only with --tls");
    }
    if ((certificate == null) != (key == null)) {
      throw new IllegalArgumentException("--tls-certificate and --tls-key: both or neither");
    }
    if (!cql && !jmx) {
      return null;
    }
    try {
      return RemoteTls.of(
          cql, jmx, !anyName, new RemoteCertificates(authorities, certificate, key));
    } catch (IOException e) {
      throw new IllegalArgumentException("TLS: " + e.getMessage(), e);
    }
  }

  private static void requireNone(String option, @Nullable Path value) {
    if (value != null) {
      throw new IllegalArgumentException(
          "%s '%s': only with --tls or --jmx-tls".formatted(option, value));
    }
  }
}
