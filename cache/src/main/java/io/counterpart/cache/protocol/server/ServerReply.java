package io.counterpart.cache.protocol.server;

import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * One answer of a memcached server.
 *
 * @param flags flags of a meta command's answer, or client flags and CAS value with {@link
 *     ReplyStatus#VALUE}; none for other commands
 * @param text the text after the word, for errors, {@link ReplyStatus#STAT}, {@link
 *     ReplyStatus#VERSION} and {@link ReplyStatus#ME}; else empty
 * @param value of {@link ReplyStatus#VA} and {@link ReplyStatus#VALUE}: a slice, retained for the
 *     receiver of the reply, which has to release it once; else null
 */
public record ServerReply(
    ReplyStatus status, ReplyFlags flags, String text, @Nullable ByteBuf value) {

  /** Gives back the value's buffer, if there is one. */
  public void release() {
    if (value != null) {
      value.release();
    }
  }
}
