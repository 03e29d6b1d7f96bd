package io.counterpart.cache.forward;

import io.counterpart.cache.protocol.Key;
import io.counterpart.cache.protocol.MetaItem;
import io.counterpart.cache.tier.ArithmeticCommand;
import io.counterpart.cache.tier.DeleteCommand;
import io.counterpart.cache.tier.GetOptions;
import io.counterpart.cache.tier.GetOutcome;
import io.counterpart.cache.tier.NumberOutcome;
import io.counterpart.cache.tier.ObjectTier;
import io.counterpart.cache.tier.Status;
import io.counterpart.cache.tier.StoreCommand;
import io.counterpart.cache.tier.WriteOutcome;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** A tier that records operations, and answers when the test says so, or not at all. */
final class RecordingTier implements ObjectTier {
  final List<Object> asked = new CopyOnWriteArrayList<>();
  volatile Status status = Status.DONE;
  volatile NumberOutcome number = NumberOutcome.not(Status.NOT_FOUND);
  volatile MetaItem item;
  volatile boolean silent;

  @Override
  public void get(Key key, GetOptions options, Consumer<GetOutcome> done) {
    asked.add(List.of(key, options));
    MetaItem known = item;
    answer(
        done,
        known == null
            ? new GetOutcome.None(status)
            : new GetOutcome.Found(
                known, Unpooled.copiedBuffer("value", StandardCharsets.US_ASCII)));
  }

  @Override
  public void inspect(Key key, Consumer<String> done) {
    asked.add(key);
    answer(done, status == Status.DONE ? "exp=1 la=0" : "");
  }

  /**
   * A store command with its value as text, because the value is released before the comparison.
   */
  record Stored(StoreCommand command, String value) {}

  @Override
  public void store(StoreCommand command, Consumer<WriteOutcome> done) {
    asked.add(stored(command));
    answer(done, outcome());
  }

  static Stored stored(StoreCommand command) {
    return new Stored(
        command.with(Unpooled.EMPTY_BUFFER),
        new String(ByteBufUtil.getBytes(command.value()), StandardCharsets.ISO_8859_1));
  }

  @Override
  public void delete(DeleteCommand command, Consumer<WriteOutcome> done) {
    asked.add(command);
    answer(done, outcome());
  }

  @Override
  public void arithmetic(ArithmeticCommand command, Consumer<NumberOutcome> done) {
    asked.add(command);
    answer(done, number);
  }

  @Override
  public void flushAll(int delaySeconds, Consumer<WriteOutcome> done) {
    asked.add(delaySeconds);
    answer(done, outcome());
  }

  private WriteOutcome outcome() {
    return new WriteOutcome(status, status == Status.DONE ? -2 : 0);
  }

  private <T> void answer(Consumer<T> done, T outcome) {
    if (!silent) {
      done.accept(outcome);
    }
  }
}
