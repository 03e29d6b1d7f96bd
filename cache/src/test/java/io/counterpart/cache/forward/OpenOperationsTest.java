package io.counterpart.cache.forward;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.cache.protocol.Key;
import io.counterpart.cache.protocol.MetaItem;
import io.counterpart.cache.tier.DeleteCommand;
import io.counterpart.cache.tier.GetOptions;
import io.counterpart.cache.tier.GetOutcome;
import io.counterpart.cache.tier.ObjectTier;
import io.counterpart.cache.tier.Status;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class OpenOperationsTest {
  private static final Key KEY = Key.of("k");
  private static final MetaItem ITEM =
      new MetaItem(1, 0, 1, -1, 0, false, false, false, false, false);

  private final OpenOperations operations = new OpenOperations();

  /** Callbacks of reads, and of all others, which the tier has not answered. */
  private final List<Consumer<Object>> open = new ArrayList<>();

  private final ObjectTier tier = operations.on(silent());

  private final List<String> answers = new ArrayList<>();

  /** A tier that answers when the test says so. */
  private ObjectTier silent() {
    return (ObjectTier)
        Proxy.newProxyInstance(
            ObjectTier.class.getClassLoader(),
            new Class<?>[] {ObjectTier.class},
            (proxy, method, arguments) -> {
              @SuppressWarnings("unchecked")
              Consumer<Object> done = (Consumer<Object>) arguments[arguments.length - 1];
              open.add(done);
              return null;
            });
  }

  private void get(String name) {
    get(tier, name);
  }

  private void get(ObjectTier from, String name) {
    from.get(
        KEY,
        GetOptions.DETAILS,
        outcome -> {
          answers.add(name + (outcome instanceof GetOutcome.Found ? " found" : " none"));
          if (outcome instanceof GetOutcome.Found found) {
            found.value().release();
          }
        });
  }

  @Test
  void that_are_answered_are_not_answered_again() {
    get("a");
    tier.delete(DeleteCommand.of(KEY), outcome -> answers.add("b " + outcome.status()));
    open.get(0).accept(new GetOutcome.None(Status.NOT_FOUND));
    operations.end();

    assertThat(answers).containsExactly("a none", "b UNAVAILABLE");
  }

  @Test
  void of_a_tier_that_has_ended_release_what_comes_late() {
    get("a");
    operations.end();
    ByteBuf value = Unpooled.buffer(1).writeByte('x');
    open.get(0).accept(new GetOutcome.Found(ITEM, value));

    assertThat(answers).containsExactly("a none");
    assertThat(value.refCnt()).isZero();
  }

  @Test
  void one_that_fails_keeps_no_other_from_its_answer() {
    get("a");
    tier.get(
        KEY,
        GetOptions.DETAILS,
        outcome -> {
          throw new IllegalStateException("of the test");
        });
    get("c");
    operations.end();

    assertThat(answers).containsExactlyInAnyOrder("a none", "c none");
  }

  @Test
  void end_in_any_order() {
    Random random = new Random(1);
    for (int round = 0; round < 100; round++) {
      answers.clear();
      open.clear();
      int begun = 1 + random.nextInt(8);
      OpenOperations mine = new OpenOperations();
      ObjectTier known = mine.on(silent());
      IntStream.range(0, begun).forEach(i -> get(known, String.valueOf(i)));
      List<Integer> order = new ArrayList<>(IntStream.range(0, begun).boxed().toList());
      Collections.shuffle(order, random);
      order
          .subList(0, random.nextInt(begun + 1))
          .forEach(i -> open.get(i).accept(new GetOutcome.None(Status.NOT_FOUND)));
      mine.end();
      assertThat(answers).hasSize(begun).doesNotHaveDuplicates();
    }
  }
}
