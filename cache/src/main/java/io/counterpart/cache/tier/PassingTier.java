package io.counterpart.cache.tier;

import io.counterpart.cache.protocol.Key;
import java.util.Map;
import java.util.function.Consumer;

/** A tier that passes operations on to another tier, all kinds in one way. */
public abstract class PassingTier implements ObjectTier {
  private static final GetOutcome NOT_READ = new GetOutcome.None(Status.UNAVAILABLE);
  private static final WriteOutcome NOT_WRITTEN = WriteOutcome.not(Status.UNAVAILABLE);
  private static final NumberOutcome NO_NUMBER = NumberOutcome.not(Status.UNAVAILABLE);

  /** Passes an operation on, and its outcome back. */
  protected abstract <T> void pass(TierCall<T> call, Consumer<T> done);

  @Override
  public void get(Key key, GetOptions options, Consumer<GetOutcome> done) {
    // a new expiry is a change: the store gets the object anew
    boolean changes = options.exptime() != null;
    pass(new TierCall<>(key, changes, (tier, end) -> tier.get(key, options, end), NOT_READ), done);
  }

  @Override
  public void look(Key key, Consumer<GetOutcome> done) {
    pass(new TierCall<>(key, false, (tier, end) -> tier.look(key, end), NOT_READ), done);
  }

  @Override
  public void inspect(Key key, Consumer<String> done) {
    pass(new TierCall<>(key, false, (tier, end) -> tier.inspect(key, end), ""), done);
  }

  @Override
  public void store(StoreCommand command, Consumer<WriteOutcome> done) {
    Key key = command.key();
    pass(new TierCall<>(key, true, (tier, end) -> tier.store(command, end), NOT_WRITTEN), done);
  }

  @Override
  public void delete(DeleteCommand command, Consumer<WriteOutcome> done) {
    Key key = command.key();
    pass(new TierCall<>(key, true, (tier, end) -> tier.delete(command, end), NOT_WRITTEN), done);
  }

  @Override
  public void arithmetic(ArithmeticCommand command, Consumer<NumberOutcome> done) {
    Key key = command.key();
    pass(new TierCall<>(key, true, (tier, end) -> tier.arithmetic(command, end), NO_NUMBER), done);
  }

  @Override
  public void statistics(String group, Consumer<Map<String, Long>> done) {
    Map<String, Long> none = Map.of();
    pass(new TierCall<>(null, false, (tier, end) -> tier.statistics(group, end), none), done);
  }

  @Override
  public void flushAll(int delaySeconds, Consumer<WriteOutcome> done) {
    pass(
        new TierCall<>(null, true, (tier, end) -> tier.flushAll(delaySeconds, end), NOT_WRITTEN),
        done);
  }
}
