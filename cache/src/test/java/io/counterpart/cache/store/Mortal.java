package io.counterpart.cache.store;

import io.counterpart.cache.protocol.Key;
import io.counterpart.cache.tier.ArithmeticCommand;
import io.counterpart.cache.tier.DeleteCommand;
import io.counterpart.cache.tier.GetOptions;
import io.counterpart.cache.tier.GetOutcome;
import io.counterpart.cache.tier.NumberOutcome;
import io.counterpart.cache.tier.ObjectTier;
import io.counterpart.cache.tier.StoreCommand;
import io.counterpart.cache.tier.WriteOutcome;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/** Memory and store as one proxy sees them: after its death none of its requests reaches them. */
final class Mortal implements ObjectTier, PersistentStore {
  private final ObjectTier memory;
  private final PersistentStore store;
  private boolean dead;

  Mortal(ObjectTier memory, PersistentStore store) {
    this.memory = memory;
    this.store = store;
  }

  void die() {
    dead = true;
  }

  @Override
  public void get(Key key, GetOptions options, Consumer<GetOutcome> done) {
    if (!dead) {
      memory.get(key, options, done);
    }
  }

  @Override
  public void inspect(Key key, Consumer<String> done) {
    if (!dead) {
      memory.inspect(key, done);
    }
  }

  @Override
  public void store(StoreCommand command, Consumer<WriteOutcome> done) {
    if (!dead) {
      memory.store(command, done);
    }
  }

  @Override
  public void delete(DeleteCommand command, Consumer<WriteOutcome> done) {
    if (!dead) {
      memory.delete(command, done);
    }
  }

  @Override
  public void arithmetic(ArithmeticCommand command, Consumer<NumberOutcome> done) {
    if (!dead) {
      memory.arithmetic(command, done);
    }
  }

  @Override
  public void flushAll(int delaySeconds, Consumer<WriteOutcome> done) {
    if (!dead) {
      memory.flushAll(delaySeconds, done);
    }
  }

  @Override
  public CompletionStage<Optional<PersistentRecord>> read(Key key) {
    return dead ? new CompletableFuture<>() : store.read(key);
  }

  @Override
  public CompletionStage<Void> write(Key key, PersistentRecord record) {
    return dead ? new CompletableFuture<>() : store.write(key, record);
  }

  @Override
  public CompletionStage<Void> delete(Key key, long timestamp) {
    return dead ? new CompletableFuture<>() : store.delete(key, timestamp);
  }

  @Override
  public void close() {}
}
