package io.counterpart.cache.store;

import io.counterpart.cache.coded.stripe.RecordChange;
import io.counterpart.cache.command.Arithmetic;
import io.counterpart.cache.command.Changes;
import io.counterpart.cache.format.StoredRecord;
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
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;

/**
 * A tier in this process that executes operations at once and answers when the test says. It may be
 * down and keep its objects, or have no memory for writes. Belongs to one thread.
 */
final class ToyMemory implements ObjectTier {
  private final Map<Key, StoredRecord> items = new HashMap<>();
  private final ArrayDeque<Runnable> answers = new ArrayDeque<>();
  private boolean answersAtOnce = true;
  private boolean down;
  private boolean full;
  private long sequence;
  private long lagSeconds;

  /** Puts its clock back. */
  void late(long seconds) {
    lagSeconds = seconds;
  }

  void answersAtOnce(boolean atOnce) {
    answersAtOnce = atOnce;
  }

  void down(boolean isDown) {
    down = isDown;
  }

  boolean isDown() {
    return down;
  }

  void full(boolean isFull) {
    full = isFull;
  }

  void lose(Key key) {
    items.remove(key);
  }

  void loseSome(Random random) {
    items.keySet().removeIf(key -> random.nextInt(3) == 0);
  }

  void loseAll() {
    items.clear();
  }

  /** Drops all answers, because nobody waits for them any more. */
  void abandonAll() {
    answers.clear();
  }

  boolean has(Key key) {
    return items.containsKey(key);
  }

  void answerOne() {
    Runnable answer = answers.poll();
    if (answer != null) {
      answer.run();
    }
  }

  private long now() {
    return System.currentTimeMillis() / 1000 - lagSeconds;
  }

  private void answer(Runnable answer) {
    if (answersAtOnce) {
      answer.run();
    } else {
      answers.add(answer);
    }
  }

  private StoredRecord visible(Key key) {
    StoredRecord item = items.get(key);
    return item == null || item.isExpired(now()) ? null : item;
  }

  @Override
  public void get(Key key, GetOptions options, Consumer<GetOutcome> done) {
    GetOutcome outcome = down ? new GetOutcome.None(Status.UNAVAILABLE) : read(key, options);
    answer(() -> done.accept(outcome));
  }

  private GetOutcome read(Key key, GetOptions options) {
    StoredRecord item = visible(key);
    boolean vivified = item == null && options.vivify() != null;
    if (vivified) {
      item =
          new StoredRecord(
              0,
              Changes.expiry(options.vivify(), now()),
              StoredRecord.TOKEN_SENT,
              ++sequence,
              Unpooled.EMPTY_BUFFER);
      items.put(key, item);
    }
    if (item == null) {
      return new GetOutcome.None(Status.NOT_FOUND);
    }
    if (options.exptime() != null) {
      int expiry = Changes.expiry(options.exptime(), now());
      item = new StoredRecord(item.flags(), expiry, item.marks(), item.sequence(), item.value());
      items.put(key, item);
    }
    boolean tells = !options.equals(GetOptions.PLAIN) && item.has(StoredRecord.STALE);
    boolean isDue =
        options.recache() != null
            && item.expirySeconds() != 0
            && item.expirySeconds() - now() < options.recache();
    boolean won = vivified || (tells || isDue) && !item.has(StoredRecord.TOKEN_SENT);
    if (won && !vivified) {
      int marks = item.marks() | StoredRecord.TOKEN_SENT;
      item = new StoredRecord(item.flags(), item.expirySeconds(), marks, ++sequence, item.value());
      items.put(key, item);
    }
    long ttl = item.expirySeconds() == 0 ? -1 : item.expirySeconds() - now();
    boolean sent = item.has(StoredRecord.TOKEN_SENT) && !won;
    return new GetOutcome.Found(
        new MetaItem(
            item.value().readableBytes(),
            item.flags(),
            item.sequence(),
            ttl,
            0,
            false,
            options.binaryKey(),
            won,
            item.has(StoredRecord.STALE),
            sent),
        item.value().retainedSlice());
  }

  @Override
  public void inspect(Key key, Consumer<String> done) {
    answer(() -> done.accept(""));
  }

  @Override
  public void store(StoreCommand command, Consumer<WriteOutcome> done) {
    change(command.key(), new Changes.Store(command), done);
  }

  @Override
  public void delete(DeleteCommand command, Consumer<WriteOutcome> done) {
    change(command.key(), new Changes.Delete(command), done);
  }

  private void change(Key key, Changes<WriteOutcome> change, Consumer<WriteOutcome> done) {
    if (down) {
      answer(() -> done.accept(WriteOutcome.not(Status.UNAVAILABLE)));
      return;
    }
    boolean written = carryOut(key, change);
    long now = sequence;
    Status end = written ? Status.DONE : Status.OUT_OF_MEMORY;
    answer(() -> done.accept(change.outcome(end, now)));
  }

  private boolean carryOut(Key key, RecordChange change) {
    RecordChange.Decision decision = change.decide(visible(key), now());
    if (decision instanceof RecordChange.Remove) {
      items.remove(key);
    } else if (decision instanceof RecordChange.Write write) {
      if (full) {
        return false; // the object stays as it was, the worse of the two cases
      }
      byte[] value = ByteBufUtil.getBytes(write.value());
      items.put(
          key,
          new StoredRecord(
              write.flags(),
              write.expirySeconds(),
              write.marks(),
              ++sequence,
              Unpooled.wrappedBuffer(value)));
    }
    return true;
  }

  @Override
  public void arithmetic(ArithmeticCommand command, Consumer<NumberOutcome> done) {
    Arithmetic change = new Arithmetic(command);
    carryOut(command.key(), change);
    answer(() -> done.accept(change.outcome(Status.DONE, sequence)));
  }

  @Override
  public void flushAll(int delaySeconds, Consumer<WriteOutcome> done) {
    if (!down) {
      items.clear();
    }
    WriteOutcome outcome = new WriteOutcome(down ? Status.UNAVAILABLE : Status.DONE, 0);
    answer(() -> done.accept(outcome));
  }
}
