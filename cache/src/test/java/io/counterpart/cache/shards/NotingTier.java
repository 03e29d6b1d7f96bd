package io.counterpart.cache.shards;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.counterpart.cache.protocol.Key;
import io.counterpart.cache.protocol.MetaItem;
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
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;

/** A tier that notes its operations; the test decides when it answers. Belongs to one loop. */
class NotingTier implements ObjectTier {
  /** Number of kinds of operations. */
  static final int KINDS = 9;

  private static final int LONGEST_NOTED = 100;

  /**
   * An operation as it arrived.
   *
   * @param name its key, or the number or group that it has instead
   */
  record Asked(String kind, String name, Object details) {}

  final List<Asked> asked = new ArrayList<>();
  final List<Asked> answered = new ArrayList<>();
  ToLongFunction<Key> readBytes = key -> 100;
  Map<String, Long> numbers = Map.of("number", 1L);
  Status flushed = Status.DONE;
  private final Consumer<Runnable> answers;

  /**
   * @param answers gets each answer, to run it at its time
   */
  NotingTier(Consumer<Runnable> answers) {
    this.answers = answers;
  }

  /**
   * An operation of any kind with unusual arguments.
   *
   * @param kind 0 to {@link #KINDS} − 1
   * @param name a number, as text
   */
  static void operate(ObjectTier tier, int kind, String name, Consumer<Object> done) {
    Key key = Key.of(name);
    switch (kind) {
      case 0 ->
          tier.get(key, new GetOptions(true, true, true, 1, 2, 3, "RTN" + name), done::accept);
      case 1 -> tier.get(key, GetOptions.PLAIN, done::accept);
      case 2 -> tier.look(key, done::accept);
      case 3 -> tier.inspect(key, done::accept);
      case 4 ->
          tier.store(
              new StoreCommand(
                  key,
                  StoreMode.CAS,
                  -4,
                  5,
                  -6,
                  true,
                  Unpooled.copiedBuffer("value " + name, ISO_8859_1)),
              done::accept);
      case 5 -> tier.delete(new DeleteCommand(key, -7L, true, 8), done::accept);
      case 6 ->
          tier.arithmetic(
              new ArithmeticCommand(key, true, -9, new ArithmeticCommand.Initial(10, 11), 12, -13),
              done::accept);
      case 7 -> tier.statistics(name, done::accept);
      case 8 -> tier.flushAll(Integer.parseInt(name), done::accept);
      default -> throw new IllegalArgumentException("kind " + kind);
    }
  }

  private <T> void answer(Asked operation, Consumer<T> done, T outcome) {
    asked.add(operation);
    answers.accept(
        () -> {
          answered.add(operation);
          done.accept(outcome);
        });
  }

  @Override
  public long readBytes(Key key) {
    return readBytes.applyAsLong(key);
  }

  static GetOutcome found(ByteBuf value) {
    return new GetOutcome.Found(
        new MetaItem(value.readableBytes(), 14, -15, 16, 17, true, false, true, false, true),
        value);
  }

  @Override
  public void get(Key key, GetOptions options, Consumer<GetOutcome> done) {
    answer(
        new Asked("get", key.toString(), options), done, found(Unpooled.copiedBuffer(key.bytes())));
  }

  @Override
  public void look(Key key, Consumer<GetOutcome> done) {
    answer(
        new Asked("look", key.toString(), ""), done, new GetOutcome.None(Status.NO_ANSWER_MEMORY));
  }

  @Override
  public void inspect(Key key, Consumer<String> done) {
    answer(new Asked("inspect", key.toString(), ""), done, "exp=" + key);
  }

  @Override
  public void store(StoreCommand command, Consumer<WriteOutcome> done) {
    int length = command.value().readableBytes();
    String value =
        length <= LONGEST_NOTED ? command.value().toString(ISO_8859_1) : length + " bytes";
    // without the value, which is released before the comparison
    StoreCommand noted = command.with(Unpooled.EMPTY_BUFFER);
    answer(
        new Asked("store", command.key().toString(), List.of(noted, value)),
        done,
        new WriteOutcome(Status.DONE, -18));
  }

  @Override
  public void delete(DeleteCommand command, Consumer<WriteOutcome> done) {
    answer(
        new Asked("delete", command.key().toString(), command),
        done,
        WriteOutcome.not(Status.EXISTS));
  }

  @Override
  public void arithmetic(ArithmeticCommand command, Consumer<NumberOutcome> done) {
    answer(
        new Asked("arithmetic", command.key().toString(), command),
        done,
        new NumberOutcome(Status.DONE, -19, true, 20, 21));
  }

  @Override
  public void statistics(String group, Consumer<Map<String, Long>> done) {
    answer(new Asked("statistics", group, ""), done, numbers);
  }

  @Override
  public void flushAll(int delaySeconds, Consumer<WriteOutcome> done) {
    answer(
        new Asked("flushAll", Integer.toString(delaySeconds), ""),
        done,
        new WriteOutcome(flushed, 0));
  }
}
