package io.counterpart.cache.proxy;

import io.netty.handler.ssl.SslContext;
import org.jspecify.annotations.Nullable;

/**
 * The proxy's requirements of a client: TLS and credentials.
 *
 * @param tls the server's side of TLS; null for none
 * @param credentials accepted credentials; null to accept everybody
 */
public record Access(@Nullable SslContext tls, @Nullable Credentials credentials) {
  /** No requirements. */
  public static final Access OPEN = new Access(null, null);
}
