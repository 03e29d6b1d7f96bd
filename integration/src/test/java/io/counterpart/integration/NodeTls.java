package io.counterpart.integration;

import static java.nio.charset.StandardCharsets.US_ASCII;

import com.sun.tools.attach.VirtualMachine;
import io.counterpart.cluster.Node;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;

/**
 * Certificates of a node on 127.0.0.1 and of a client that trust only each other, with the node's
 * settings for them.
 *
 * @param directory of the files, which exist
 */
record NodeTls(Path directory) {
  /** Who may use JMX, with {@link #PASSWORD}. */
  static final String USER = "lab";

  static final String PASSWORD = "changeit";

  /** Makes the files anew. */
  static NodeTls create(Path directory) {
    NodeTls made = new NodeTls(directory);
    try {
      Files.createDirectories(directory);
      made.identity("node", "-ext", "san=ip:127.0.0.1");
      made.identity("client");
      made.identity("stranger");
      made.trust();
      made.ownersAlone("jmx.password", "%s %s%n".formatted(USER, PASSWORD));
      made.ownersAlone("jmx.access", USER + " readwrite\n");
      made.ownersAlone("password", PASSWORD + "\n");
      return made;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (GeneralSecurityException | InterruptedException e) {
      throw new IllegalStateException("no certificates", e);
    }
  }

  /** A certificate that signs itself: in PEM with its key, and both in a key store. */
  private void identity(String name, String... options)
      throws IOException, GeneralSecurityException, InterruptedException {
    Path store = file(name + ".p12");
    Files.deleteIfExists(store);
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                name,
                "-keyalg",
                "EC",
                "-dname",
                "CN=" + name,
                "-validity",
                "3",
                "-storetype",
                "PKCS12",
                "-storepass",
                PASSWORD,
                "-keystore",
                store.toString()));
    command.addAll(List.of(options));
    Process keytool =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(file(name + ".log").toFile())
            .start();
    if (keytool.waitFor() != 0) {
      throw new IOException("keytool failed: " + file(name + ".log"));
    }
    KeyStore keys = load(store);
    pem(name + ".crt", "CERTIFICATE", keys.getCertificate(name).getEncoded());
    pem(name + ".key", "PRIVATE KEY", keys.getKey(name, PASSWORD.toCharArray()).getEncoded());
  }

  /** Whom the node trusts. */
  private void trust() throws IOException, GeneralSecurityException {
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    trusted.setCertificateEntry("client", load(file("client.p12")).getCertificate("client"));
    try (OutputStream out = Files.newOutputStream(file("trust.p12"))) {
      trusted.store(out, PASSWORD.toCharArray());
    }
  }

  private static KeyStore load(Path store) throws IOException, GeneralSecurityException {
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, PASSWORD.toCharArray());
    }
    return keys;
  }

  private void pem(String name, String kind, byte[] content) throws IOException {
    Files.writeString(
        file(name),
        "-----BEGIN %s-----\n%s\n-----END %s-----\n"
            .formatted(
                kind,
                Base64.getMimeEncoder(64, "\n".getBytes(US_ASCII)).encodeToString(content),
                kind));
  }

  /** A file that the JDK takes only if nobody else may read it. */
  private void ownersAlone(String name, String text) throws IOException {
    Files.deleteIfExists(file(name));
    Files.createFile(
        file(name),
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.writeString(file(name), text);
  }

  /** A file of them: node, client and stranger have {@code .crt} and {@code .key}. */
  Path file(String name) {
    return directory.resolve(name);
  }

  /**
   * Entry of cassandra.yaml: with TLS the client has to show its certificate; who speaks plain CQL
   * is served too.
   */
  Map<String, Object> clientEncryption() {
    Map<String, Object> options = new LinkedHashMap<>();
    options.put("enabled", true);
    options.put("optional", true);
    options.put("keystore", file("node.p12").toString());
    options.put("keystore_password", PASSWORD);
    options.put("truststore", file("trust.p12").toString());
    options.put("truststore_password", PASSWORD);
    options.put("store_type", "PKCS12");
    options.put("require_client_auth", true);
    return options;
  }

  /** Has a node serve JMX on one more port: encrypted, with certificate, user and password. */
  void openJmx(Node node, int port) throws Exception {
    ownersAlone(
        "jmx.properties",
        """
        javax.net.ssl.keyStore=%s
        javax.net.ssl.keyStorePassword=%s
        javax.net.ssl.trustStore=%s
        javax.net.ssl.trustStorePassword=%s
        """
            .formatted(file("node.p12"), PASSWORD, file("trust.p12"), PASSWORD));
    String jmx = "com.sun.management.jmxremote";
    Properties agent = new Properties();
    agent.setProperty(jmx + ".host", "127.0.0.1");
    agent.setProperty(jmx + ".port", String.valueOf(port));
    agent.setProperty(jmx + ".rmi.port", String.valueOf(port));
    agent.setProperty(jmx + ".ssl", "true");
    agent.setProperty(jmx + ".registry.ssl", "true");
    agent.setProperty(jmx + ".ssl.need.client.auth", "true");
    agent.setProperty(jmx + ".ssl.config.file", file("jmx.properties").toString());
    agent.setProperty(jmx + ".authenticate", "true");
    agent.setProperty(jmx + ".password.file", file("jmx.password").toString());
    agent.setProperty(jmx + ".access.file", file("jmx.access").toString());
    VirtualMachine machine = VirtualMachine.attach(String.valueOf(node.pid()));
    try {
      machine.startManagementAgent(agent);
    } finally {
      machine.detach();
    }
  }
}
