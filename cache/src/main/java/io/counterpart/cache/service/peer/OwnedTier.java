package io.counterpart.cache.service.peer;

import io.counterpart.cache.protocol.Key;
import io.counterpart.cache.tier.ArithmeticCommand;
import io.counterpart.cache.tier.DeleteCommand;
import io.counterpart.cache.tier.GetOptions;
import io.counterpart.cache.tier.GetOutcome;
import io.counterpart.cache.tier.NumberOutcome;
import io.counterpart.cache.tier.ObjectTier;
import io.counterpart.cache.tier.Status;
import io.counterpart.cache.tier.StoreCommand;
import io.counterpart.cache.tier.WriteOutcome;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * A tier whose answers count only while this proxy owns it. An owner that is cut off from the other
 * machines may still reach a server, whose objects another owner has changed elsewhere meanwhile.
 * So each answer, also to a read, is given only if nobody else can have begun before it is known;
 * and no change begins otherwise, because it would reach the persistent store. Belongs to the
 * tier's event loop.
 */
public final class OwnedTier implements ObjectTier {
  private final ObjectTier tier;
  private final BooleanSupplier isOwner;

  public OwnedTier(ObjectTier tier, BooleanSupplier isOwner) {
    this.tier = tier;
    this.isOwner = isOwner;
  }

  private <T> Consumer<T> ifOwned(Consumer<T> done, Function<T, T> otherwise) {
    return outcome -> done.accept(isOwner.getAsBoolean() ? outcome : otherwise.apply(outcome));
  }

  private void write(Consumer<WriteOutcome> done, Consumer<Consumer<WriteOutcome>> change) {
    if (isOwner.getAsBoolean()) {
      change.accept(ifOwned(done, outcome -> WriteOutcome.not(Status.UNAVAILABLE)));
    } else {
      done.accept(WriteOutcome.not(Status.UNAVAILABLE));
    }
  }

  @Override
  public long readBytes(Key key) {
    return tier.readBytes(key);
  }

  @Override
  public long writeBytes(Key key, int valueBytes) {
    return tier.writeBytes(key, valueBytes);
  }

  @Override
  public void get(Key key, GetOptions options, Consumer<GetOutcome> done) {
    // a new expiry is a change: the store gets the object anew
    if (options.exptime() != null && !isOwner.getAsBoolean()) {
      done.accept(new GetOutcome.None(Status.UNAVAILABLE));
      return;
    }
    tier.get(key, options, ifOwned(done, OwnedTier::unavailable));
  }

  private static GetOutcome unavailable(GetOutcome known) {
    if (known instanceof GetOutcome.Found found) {
      found.value().release();
    }
    return new GetOutcome.None(Status.UNAVAILABLE);
  }

  @Override
  public void inspect(Key key, Consumer<String> done) {
    tier.inspect(key, ifOwned(done, facts -> ""));
  }

  @Override
  public void store(StoreCommand command, Consumer<WriteOutcome> done) {
    write(done, end -> tier.store(command, end));
  }

  @Override
  public void delete(DeleteCommand command, Consumer<WriteOutcome> done) {
    write(done, end -> tier.delete(command, end));
  }

  @Override
  public void arithmetic(ArithmeticCommand command, Consumer<NumberOutcome> done) {
    if (!isOwner.getAsBoolean()) {
      done.accept(NumberOutcome.not(Status.UNAVAILABLE));
      return;
    }
    tier.arithmetic(command, ifOwned(done, outcome -> NumberOutcome.not(Status.UNAVAILABLE)));
  }

  @Override
  public void statistics(String group, Consumer<Map<String, Long>> done) {
    tier.statistics(group, done);
  }

  @Override
  public void flushAll(int delaySeconds, Consumer<WriteOutcome> done) {
    write(done, end -> tier.flushAll(delaySeconds, end));
  }
}
