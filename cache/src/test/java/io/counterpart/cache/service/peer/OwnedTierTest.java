package io.counterpart.cache.service.peer;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.cache.protocol.Key;
import io.counterpart.cache.protocol.StoreMode;
import io.counterpart.cache.tier.ArithmeticCommand;
import io.counterpart.cache.tier.DeleteCommand;
import io.counterpart.cache.tier.GetOptions;
import io.counterpart.cache.tier.GetOutcome;
import io.counterpart.cache.tier.NumberOutcome;
import io.counterpart.cache.tier.ObjectTier;
import io.counterpart.cache.tier.Status;
import io.counterpart.cache.tier.StoreCommand;
import io.counterpart.cache.tier.WriteOutcome;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class OwnedTierTest {
  private static final Key KEY = Key.of("k");

  private final Begun begun = new Begun();
  private final List<Status> answers = new ArrayList<>();
  private boolean isOwner = true;
  private final OwnedTier tier = new OwnedTier(begun, () -> isOwner);

  /** It would reach the store although another owner serves from the store by now. */
  @Test
  void begins_no_change_while_another_one_may_own_the_tier() {
    isOwner = false;
    store();
    tier.delete(DeleteCommand.of(KEY), outcome -> answers.add(outcome.status()));
    tier.flushAll(0, outcome -> answers.add(outcome.status()));

    assertThat(begun.operations).isEmpty();
    assertThat(answers).containsExactly(Status.UNAVAILABLE, Status.UNAVAILABLE, Status.UNAVAILABLE);
  }

  @Test
  void begins_no_new_expiry_then() {
    isOwner = false;
    tier.get(
        KEY, GetOptions.touching(60), outcome -> answers.add(((GetOutcome.None) outcome).status()));

    assertThat(answers).containsExactly(Status.UNAVAILABLE);
  }

  @Test
  void confirms_no_change_that_ends_then() {
    store();
    isOwner = false;
    begun.operations.forEach(Runnable::run);

    assertThat(answers).containsExactly(Status.UNAVAILABLE);
  }

  @Test
  void confirms_what_its_owner_did() {
    store();
    begun.operations.forEach(Runnable::run);

    assertThat(answers).containsExactly(Status.DONE);
  }

  private void store() {
    tier.store(
        new StoreCommand(KEY, StoreMode.SET, 0, 0, 0, false, Unpooled.EMPTY_BUFFER),
        outcome -> answers.add(outcome.status()));
  }

  /** Operations that have begun, and their ends. */
  private static final class Begun implements ObjectTier {
    private final List<Runnable> operations = new ArrayList<>();

    private void change(Consumer<WriteOutcome> done) {
      operations.add(() -> done.accept(WriteOutcome.not(Status.DONE)));
    }

    @Override
    public void get(Key key, GetOptions options, Consumer<GetOutcome> done) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void inspect(Key key, Consumer<String> done) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void store(StoreCommand command, Consumer<WriteOutcome> done) {
      change(done);
    }

    @Override
    public void delete(DeleteCommand command, Consumer<WriteOutcome> done) {
      change(done);
    }

    @Override
    public void arithmetic(ArithmeticCommand command, Consumer<NumberOutcome> done) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void flushAll(int delaySeconds, Consumer<WriteOutcome> done) {
      change(done);
    }
  }
}
