package io.counterpart.cache.backend;

import io.netty.channel.Channel;
import io.netty.handler.ssl.SslContext;
import org.jspecify.annotations.Nullable;

/**
 * The ways in which a connection shows who it is: TLS, and a user with a password as memcached's
 * {@code -Y} takes them.
 *
 * @param tls the client's side of TLS; null for none
 * @param token a user, a space and its password; null for none
 */
public record ConnectionSecurity(@Nullable SslContext tls, @Nullable String token) {
  /** Nothing is shown. */
  public static final ConnectionSecurity NONE = new ConnectionSecurity(null, null);

  /** Adds what is needed to a new channel. */
  void secure(Channel channel) {
    if (tls != null) {
      channel.pipeline().addLast(tls.newHandler(channel.alloc()));
    }
    if (token != null) {
      channel.pipeline().addLast(new ClientAuthentication(token));
    }
  }

  /** Tells nothing of the password. */
  @Override
  public String toString() {
    return (tls == null ? "plain" : "TLS") + (token == null ? "" : ", with a password");
  }
}
