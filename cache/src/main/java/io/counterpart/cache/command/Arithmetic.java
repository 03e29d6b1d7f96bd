package io.counterpart.cache.command;

import io.counterpart.cache.format.StoredRecord;
import io.counterpart.cache.tier.ArithmeticCommand;
import io.counterpart.cache.tier.NumberOutcome;
import io.counterpart.cache.tier.Status;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Arithmetic as in memcached: addition wraps at 2^64, subtraction stops at 0, and a number that
 * gets shorter keeps its length, padded with spaces. One object for one command. Not thread-safe.
 */
public final class Arithmetic extends Changes<NumberOutcome> {
  private static final long NEVER = -1;
  private static final Pattern NUMBER =
      Pattern.compile("\\s*\\+?(\\d+)([\\s\\x00].*)?", Pattern.DOTALL);

  private final ArithmeticCommand command;
  private long number;
  private boolean created;
  private long ttlSeconds = NEVER;

  /** The effect of a command on its object. */
  public Arithmetic(ArithmeticCommand command) {
    this.command = command;
  }

  @Override
  public Decision decide(@Nullable StoredRecord old, long nowSeconds) {
    if (old == null) {
      return begin(nowSeconds);
    }
    if (command.cas() != 0 && command.cas() != old.cas()) {
      return refuse(Status.EXISTS);
    }
    Long before = number(old.value());
    if (before == null) {
      return refuse(Status.NOT_A_NUMBER);
    }
    number = after(before);
    Integer exptime = command.exptime();
    int expiry = exptime == null ? old.expirySeconds() : expiry(exptime, nowSeconds);
    String digits = Long.toUnsignedString(number);
    int length = old.value().readableBytes();
    String padded =
        digits.length() < length ? digits + " ".repeat(length - digits.length()) : digits;
    return write(old.flags(), expiry, old.marks(), padded, nowSeconds);
  }

  private Decision begin(long nowSeconds) {
    ArithmeticCommand.Initial initial = command.initial();
    if (initial == null) {
      return refuse(Status.NOT_FOUND);
    }
    created = true;
    number = initial.number();
    int expiry = expiry(initial.exptime(), nowSeconds);
    return write(0, expiry, 0, Long.toUnsignedString(number), nowSeconds);
  }

  private Decision write(int flags, int expiry, int marks, String text, long nowSeconds) {
    ttlSeconds = expiry == 0 ? NEVER : Integer.toUnsignedLong(expiry) - nowSeconds;
    ByteBuf value = Unpooled.wrappedBuffer(text.getBytes(StandardCharsets.US_ASCII));
    return new Write(flags, expiry, marks, value);
  }

  private long after(long before) {
    if (command.increments()) {
      return before + command.delta();
    }
    return Long.compareUnsigned(before, command.delta()) < 0 ? 0 : before - command.delta();
  }

  /**
   * The number as C reads it, up to the first space or zero byte after the digits; null above 64
   * bits too.
   */
  private static @Nullable Long number(ByteBuf value) {
    Matcher matcher = NUMBER.matcher(value.toString(StandardCharsets.ISO_8859_1));
    try {
      return matcher.matches() ? Long.parseUnsignedLong(matcher.group(1)) : null;
    } catch (NumberFormatException e) {
      return null;
    }
  }

  @Override
  NumberOutcome outcomeOf(Status told, long cas) {
    return told == Status.DONE
        ? new NumberOutcome(told, number, created, cas, ttlSeconds)
        : NumberOutcome.not(told);
  }
}
