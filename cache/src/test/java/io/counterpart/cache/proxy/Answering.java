package io.counterpart.cache.proxy;

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
import java.util.function.Consumer;

/** A tier that answers everything with one status. */
record Answering(Status status) implements ObjectTier {
  @Override
  public void get(Key key, GetOptions options, Consumer<GetOutcome> done) {
    done.accept(new GetOutcome.None(status));
  }

  @Override
  public void inspect(Key key, Consumer<String> done) {
    done.accept("");
  }

  @Override
  public void store(StoreCommand command, Consumer<WriteOutcome> done) {
    done.accept(WriteOutcome.not(status));
  }

  @Override
  public void delete(DeleteCommand command, Consumer<WriteOutcome> done) {
    done.accept(WriteOutcome.not(status));
  }

  @Override
  public void arithmetic(ArithmeticCommand command, Consumer<NumberOutcome> done) {
    done.accept(NumberOutcome.not(status));
  }

  @Override
  public void flushAll(int delaySeconds, Consumer<WriteOutcome> done) {
    done.accept(WriteOutcome.not(status));
  }
}
