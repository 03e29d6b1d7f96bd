package io.counterpart.cache.protocol;

import io.netty.buffer.ByteBuf;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A client's request.
 *
 * <p>{@link Store} and {@link MetaSet} hold a value, a slice retained for the receiver of the
 * request, who must {@link #release} it once. A slice keeps the whole receive buffer alive, so copy
 * a value that stays in memory. All other requests hold no buffer.
 */
public sealed interface Request {
  /** Gives back the value's buffer; does nothing for a request without a value. */
  default void release() {}

  /**
   * {@code get}, {@code gets}, {@code gat}, {@code gats}.
   *
   * @param keys in order, as often as they were given; empty after {@code gat 10}
   * @param withCas whether CAS values are asked for
   * @param touches whether the items get a new exptime
   * @param exptime as sent, see {@link Expiry}; 0 if not {@code touches}
   */
  record Get(List<Key> keys, boolean withCas, boolean touches, int exptime) implements Request {
    public Get {
      keys = List.copyOf(keys);
    }
  }

  /**
   * {@code set}, {@code add}, {@code replace}, {@code append}, {@code prepend}, {@code cas}.
   *
   * @param flags 32 opaque bits
   * @param exptime as sent, see {@link Expiry}
   * @param cas what the item must have, if the mode is {@link StoreMode#CAS}; else 0
   * @param noreply whether the client wants no answer, be it good or bad
   * @param value retained for the owner of this request
   */
  record Store(
      StoreMode mode, Key key, int flags, int exptime, long cas, boolean noreply, ByteBuf value)
      implements Request {
    @Override
    public void release() {
      value.release();
    }
  }

  /** {@code delete}. */
  record Delete(Key key, boolean noreply) implements Request {}

  /**
   * {@code incr}, {@code decr}.
   *
   * @param delta 64 unsigned bits
   */
  record Arithmetic(Key key, boolean increments, long delta, boolean noreply) implements Request {}

  /** {@code touch}; the exptime is as sent, see {@link Expiry}. */
  record Touch(Key key, int exptime, boolean noreply) implements Request {}

  /** {@code mg}. */
  record MetaGet(Key key, MetaFlags flags) implements Request {}

  /**
   * {@code ms}.
   *
   * @param mode as the flags {@code M} and {@code C} say it together; {@code flags.cas()} is
   *     compared by APPEND and PREPEND too, if it is not 0
   * @param value retained for the owner of this request
   */
  record MetaSet(Key key, MetaFlags flags, StoreMode mode, ByteBuf value) implements Request {
    @Override
    public void release() {
      value.release();
    }
  }

  /** {@code md}. */
  record MetaDelete(Key key, MetaFlags flags) implements Request {}

  /** {@code ma}; the delta is {@code flags.delta()}. */
  record MetaArithmetic(Key key, MetaFlags flags, boolean increments) implements Request {}

  /** {@code me}. */
  record MetaDebug(Key key) implements Request {}

  /** {@code flush_all}; seconds as sent, 0 or less for at once. */
  record FlushAll(int delay, boolean noreply) implements Request {}

  /** {@code stats} with what follows it. */
  record Stats(List<String> arguments) implements Request {
    public Stats {
      arguments = List.copyOf(arguments);
    }
  }

  /** {@code verbosity}, which has no effect. */
  record Verbosity(boolean noreply) implements Request {}

  /** A command without arguments. */
  enum Plain implements Request {
    VERSION,
    /** {@code mn}: answered {@code MN} when all before it is answered. */
    NOOP,
    /** Close when all before it is answered; nothing after it is decoded. */
    QUIT
  }

  /**
   * What memcached refuses, with its answer.
   *
   * @param answer the line without CRLF; empty if memcached says nothing
   * @param closes whether the connection closes after the answers up to this one; nothing that
   *     follows is decoded
   * @param dropped an item that must go: a client that failed to replace it must not read the old
   *     value
   */
  record Refused(String answer, boolean closes, @Nullable Key dropped) implements Request {}
}
