package io.counterpart.cache.proxy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.ssl.JdkSslContext;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLContext;

/**
 * The files that prove the proxy's identity.
 *
 * @param certificate PEM: the proxy's certificate first, then its chain to a known authority
 * @param key PEM: its private key in PKCS #8, not encrypted
 */
public record TlsFiles(Path certificate, Path key) {
  private static final String[] PROTOCOLS = {"TLSv1.3", "TLSv1.2"};
  private static final int HANDSHAKE_FLIGHTS = 10;

  /**
   * The server's side of TLS. Reads the files, and checks that they belong together.
   *
   * @throws IOException if a file is missing or malformed, the certificate is not valid today, or
   *     the key is another certificate's
   */
  public SslContext server() throws IOException {
    requireReadable(certificate, "a certificate");
    requireReadable(key, "a private key");
    requireValidToday();
    SslContext server;
    try {
      server =
          SslContextBuilder.forServer(certificate.toFile(), key.toFile())
              .sslProvider(SslProvider.JDK)
              .protocols(PROTOCOLS)
              .build();
    } catch (IllegalArgumentException | IOException e) {
      throw new IOException(
          "%s cannot be used with %s: %s; legal: PEM, the key as PKCS #8 without a password"
              .formatted(key, certificate, e.getMessage()),
          e);
    }
    requireFitting(server);
    return server;
  }

  /**
   * A client's side that trusts only this certificate.
   *
   * @throws IOException if the file cannot be read
   */
  public SSLContext client() throws IOException {
    return ((JdkSslContext) trusting()).context();
  }

  /**
   * As {@link #client}, for Netty: trusts this certificate, and the authorities behind it in its
   * file.
   *
   * @throws IOException if the file cannot be read
   */
  public SslContext trusting() throws IOException {
    try {
      return SslContextBuilder.forClient()
          .sslProvider(SslProvider.JDK)
          .protocols(PROTOCOLS)
          .trustManager(certificate.toFile())
          .build();
    } catch (IllegalArgumentException e) {
      throw new IOException(certificate + " is no certificate in PEM: " + e.getMessage(), e);
    }
  }

  private static void requireReadable(Path file, String what) throws IOException {
    if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
      throw new IOException("%s cannot be read; needed: %s in PEM".formatted(file, what));
    }
  }

  private void requireValidToday() throws IOException {
    try (InputStream in = Files.newInputStream(certificate)) {
      ((X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(in))
          .checkValidity();
    } catch (GeneralSecurityException e) {
      throw new IOException(
          "%s: %s; needed: a certificate in PEM that is valid today"
              .formatted(certificate, e.getMessage()),
          e);
    }
  }

  /** Shakes hands with itself, the only proof that the key is the certificate's. */
  private void requireFitting(SslContext server) throws IOException {
    SslHandler ours = server.newHandler(UnpooledByteBufAllocator.DEFAULT);
    SslHandler theirs = trusting().newHandler(UnpooledByteBufAllocator.DEFAULT);
    EmbeddedChannel here = new EmbeddedChannel(ours);
    EmbeddedChannel there = new EmbeddedChannel(theirs);
    try {
      for (int i = 0; i < HANDSHAKE_FLIGHTS && !ours.handshakeFuture().isDone(); i++) {
        deliver(there, here);
        deliver(here, there);
      }
      if (!ours.handshakeFuture().isSuccess()) {
        throw new IOException("no handshake", ours.handshakeFuture().cause());
      }
    } catch (Exception e) {
      // Netty throws what it was given, checked or not
      throw new IOException(
          "%s is not the key of %s; needed: the key that the certificate was made for"
              .formatted(key, certificate),
          e);
    } finally {
      end(here);
      end(there);
    }
  }

  private static void end(EmbeddedChannel channel) {
    channel.close();
    channel.releaseInbound();
    channel.releaseOutbound();
  }

  private static void deliver(EmbeddedChannel from, EmbeddedChannel to) {
    for (ByteBuf bytes = from.readOutbound(); bytes != null; bytes = from.readOutbound()) {
      to.writeInbound(bytes);
    }
  }
}
