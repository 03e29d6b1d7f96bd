package io.counterpart.cache.service;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.counterpart.cache.backend.ConnectionSecurity;
import io.counterpart.cache.proxy.Access;
import io.counterpart.cache.proxy.Credentials;
import io.counterpart.cache.proxy.TestCertificate;
import io.counterpart.cache.proxy.TlsFiles;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/**
 * TLS and passwords of all proxies of a tier: one certificate, one file of users.
 *
 * @param users in the form of memcached's {@code -Y}
 */
record MachineSecurity(TlsFiles tls, Path users) {
  private static final String CERTIFICATE = "tlsCertificate";
  private static final String KEY = "tlsKey";
  private static final String USERS = "users";

  /** Makes a certificate, and a user whose password is not ASCII. */
  static MachineSecurity create(Path directory) throws Exception {
    return new MachineSecurity(
        TestCertificate.create(directory, "tls"),
        Files.writeString(directory.resolve("users"), "ann:öne\n"));
  }

  /** That of {@link #properties} in this JVM; null without. */
  static @Nullable MachineSecurity ofProperties() {
    String certificate = System.getProperty(CERTIFICATE);
    return certificate == null
        ? null
        : new MachineSecurity(
            new TlsFiles(Path.of(certificate), Path.of(System.getProperty(KEY))),
            Path.of(System.getProperty(USERS)));
  }

  /** Options of a JVM that tell it. */
  List<String> properties() {
    return List.of(
        "-D%s=%s".formatted(CERTIFICATE, tls.certificate()),
        "-D%s=%s".formatted(KEY, tls.key()),
        "-D%s=%s".formatted(USERS, users));
  }

  Credentials credentials() throws IOException {
    return Credentials.read(users);
  }

  /** The requirements of clients and peers. */
  Access access() throws IOException {
    return new Access(tls.server(), credentials());
  }

  /** What a proxy shows to its peers. */
  ConnectionSecurity shown() throws IOException {
    return new ConnectionSecurity(tls.trusting(), credentials().first());
  }

  /** Speaks TLS on a connected socket. */
  Socket secure(Socket plain) throws IOException {
    SSLSocket secured =
        (SSLSocket)
            tls.client()
                .getSocketFactory()
                .createSocket(
                    plain, plain.getInetAddress().getHostAddress(), plain.getPort(), true);
    secured.startHandshake();
    return secured;
  }

  /** The command that authenticates a client. */
  byte[] command() throws IOException {
    String token = credentials().first();
    return "set auth 0 0 %d\r\n%s\r\n"
        .formatted(token.getBytes(UTF_8).length, token)
        .getBytes(UTF_8);
  }
}
