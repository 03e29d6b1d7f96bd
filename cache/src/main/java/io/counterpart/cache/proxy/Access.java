package io.counterpart.cache.proxy;

import io.netty.handler.ssl.SslContext;
import org.jspecify.annotations.Nullable;

/**
 * The proxy's requirements of a client: TLS and credentials.
 *
 * @param tls the server's side of TLS; null for none
 * @param credentials who may come in; null for everybody
 */
public record Access(@Nullable SslContext tls, @Nullable Credentials credentials) {
  /** Asks for nothing. */
  public static final Access OPEN = new Access(null, null);
}
