package io.counterpart.cache.tier.meta;

import io.counterpart.cache.protocol.MetaItem;
import io.counterpart.cache.protocol.StoreMode;
import io.counterpart.cache.protocol.server.ReplyFlags;
import io.counterpart.cache.protocol.server.ReplyStatus;
import io.counterpart.cache.protocol.server.ServerReply;
import io.counterpart.cache.protocol.server.ServerRequestWriter;
import io.counterpart.cache.tier.ArithmeticCommand;
import io.counterpart.cache.tier.DeleteCommand;
import io.counterpart.cache.tier.GetOptions;
import io.counterpart.cache.tier.GetOutcome;
import io.counterpart.cache.tier.NumberOutcome;
import io.counterpart.cache.tier.Status;
import io.counterpart.cache.tier.StoreCommand;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Encodes operations as meta commands and decodes objects from the answers. Thread-safe: no state.
 */
public final class MetaRequests {
  // above 30 days an exptime is a date: this one is long ago
  private static final int LONG_AGO = 60 * 60 * 24 * 30 + 1;

  private MetaRequests() {}

  /**
   * Adds the flags of a read to {@code mg}; the caller ends the command.
   *
   * @param command begun with the key
   */
  public static ServerRequestWriter get(ServerRequestWriter command, GetOptions options) {
    command.clientFlags().cas();
    if (options.value()) {
      command.value();
    } else {
      command.size();
    }
    if (options.details()) {
      command.idle().fetched();
    }
    for (int i = 0; i < options.order().length(); i++) {
      inOrder(command, options, options.order().charAt(i));
    }
    return command;
  }

  private static void inOrder(ServerRequestWriter command, GetOptions options, char letter) {
    switch (letter) {
      case 't' -> command.ttl();
      case 'T' -> ifGiven(options.exptime(), command::exptime);
      case 'N' -> ifGiven(options.vivify(), command::vivify);
      case 'R' -> ifGiven(options.recache(), command::recache);
      default -> throw new IllegalArgumentException("order has " + letter + ": legal T, N, R, t");
    }
  }

  private static void ifGiven(@Nullable Integer exptime, IntConsumer flag) {
    if (exptime != null) {
      flag.accept(onWire(exptime));
    }
  }

  /** Writes a store command with its value, and requests the new version. */
  public static void store(ServerRequestWriter command, StoreCommand store) {
    command
        .set(store.key(), store.value().readableBytes())
        .cas()
        .flags(store.flags())
        .exptime(onWire(store.exptime()));
    if (store.mode() != StoreMode.SET && store.mode() != StoreMode.CAS) {
      command.mode(store.mode());
    }
    if (store.mode() == StoreMode.CAS || store.cas() != 0) {
      command.compareCas(store.cas());
    }
    if (store.invalidates()) {
      command.invalidate();
    }
    command.end(store.value());
  }

  /** Writes a deletion. */
  public static void delete(ServerRequestWriter command, DeleteCommand delete) {
    command.delete(delete.key());
    if (delete.cas() != null) {
      command.compareCas(delete.cas());
    }
    if (delete.marksStale()) {
      command.invalidate();
    }
    if (delete.exptime() != null) {
      command.exptime(onWire(delete.exptime()));
    }
    command.end();
  }

  /** Writes arithmetic, and requests the number, its version and its time. */
  public static void arithmetic(ServerRequestWriter command, ArithmeticCommand arithmetic) {
    ArithmeticCommand.Initial initial = arithmetic.initial();
    command.arithmetic(arithmetic.key()).value().cas().delta(arithmetic.delta());
    if (!arithmetic.increments()) {
      command.decrement();
    }
    if (arithmetic.exptime() != null) {
      command.exptime(onWire(arithmetic.exptime()));
    }
    // behind the other exptime, because the later one counts for a new number
    if (initial != null) {
      command.initial(initial.number(), onWire(initial.exptime()));
    }
    if (arithmetic.cas() != 0) {
      command.compareCas(arithmetic.cas());
    }
    command.ttl().end(); // behind both: the answer has the time as it is from then on
  }

  private static int onWire(int exptime) {
    return exptime < 0 ? LONG_AGO : exptime;
  }

  /**
   * Decodes the answer to a read, whose value the outcome gets.
   *
   * @param status of an answer without an object
   */
  public static GetOutcome read(
      ServerReply reply, GetOptions options, Function<ServerReply, Status> status) {
    return reply.status() == ReplyStatus.VA || reply.status() == ReplyStatus.HD
        ? found(reply, options)
        : new GetOutcome.None(status.apply(reply));
  }

  /** Decodes the object of an answer, whose value the outcome gets. */
  public static GetOutcome.Found found(ServerReply reply, GetOptions options) {
    ByteBuf value = reply.value() == null ? Unpooled.EMPTY_BUFFER : reply.value();
    ReplyFlags flags = reply.flags();
    MetaItem item =
        new MetaItem(
            options.value() ? value.readableBytes() : flags.sizeBytes(),
            flags.clientFlags(),
            flags.cas(),
            flags.ttlSeconds(),
            flags.idleSeconds(),
            flags.fetched(),
            options.binaryKey(),
            flags.has('W'),
            flags.has('X'),
            flags.has('Z'));
    return new GetOutcome.Found(item, value);
  }

  /**
   * Decodes and releases the answer to arithmetic.
   *
   * @param created whether the object did not exist before
   * @param status of an answer without a number
   */
  public static NumberOutcome number(
      ServerReply reply, boolean created, Function<ServerReply, Status> status) {
    ByteBuf value = reply.value();
    if (value == null) {
      return NumberOutcome.not(status.apply(reply));
    }
    long number = Long.parseUnsignedLong(value.toString(StandardCharsets.US_ASCII).strip());
    value.release();
    return new NumberOutcome(
        Status.DONE, number, created, reply.flags().cas(), reply.flags().ttlSeconds());
  }
}
