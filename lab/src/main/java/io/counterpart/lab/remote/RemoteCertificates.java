package io.counterpart.lab.remote;

import io.netty.handler.ssl.JdkSslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Files for TLS to a cluster that somebody else runs, all in PEM.
 *
 * @param authorities who is trusted; null for whom the JDK trusts
 * @param certificate shown to nodes that ask for one, those that lead to an authority after it;
 *     null for none
 * @param key the certificate's, PKCS #8 without a password; null for none
 */
public record RemoteCertificates(
    @Nullable Path authorities, @Nullable Path certificate, @Nullable Path key) {
  private static final String[] PROTOCOLS = {"TLSv1.3", "TLSv1.2"};

  /** Checks that a certificate has its key. */
  public RemoteCertificates {
    if ((certificate == null) != (key == null)) {
      throw new IllegalArgumentException("a certificate and its key: both or neither");
    }
  }

  /**
   * Reads the files.
   *
   * @throws IOException naming the file that is missing or is not what it should be
   */
  SSLContext context() throws IOException {
    requireReadable(authorities, "certificates");
    requireReadable(certificate, "a certificate");
    requireReadable(key, "a private key");
    SslContextBuilder builder =
        SslContextBuilder.forClient().sslProvider(SslProvider.JDK).protocols(PROTOCOLS);
    if (authorities != null) {
      trust(builder, authorities);
    }
    if (certificate != null && key != null) {
      show(builder, certificate, key);
    }
    return ((JdkSslContext) builder.build()).context();
  }

  private static void trust(SslContextBuilder builder, Path authorities) throws IOException {
    try {
      builder.trustManager(authorities.toFile());
    } catch (IllegalArgumentException e) {
      throw new IOException(authorities + " has no certificate; needed: certificates in PEM", e);
    }
  }

  private static void show(SslContextBuilder builder, Path certificate, Path key)
      throws IOException {
    try {
      builder.keyManager(certificate.toFile(), key.toFile());
    } catch (IllegalArgumentException e) {
      throw new IOException(
          "%s cannot be used with %s: %s; needed: PEM, the key as PKCS #8 without a password"
              .formatted(key, certificate, e.getMessage()),
          e);
    }
  }

  private static void requireReadable(@Nullable Path file, String what) throws IOException {
    if (file != null && !(Files.isRegularFile(file) && Files.isReadable(file))) {
      throw new IOException("%s cannot be read; needed: %s in PEM".formatted(file, what));
    }
  }
}
