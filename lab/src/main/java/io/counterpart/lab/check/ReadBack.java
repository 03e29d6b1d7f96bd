package io.counterpart.lab.check;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import io.counterpart.lab.check.RowCheck.Verdict;
import io.counterpart.lab.workload.PairClient;
import io.counterpart.lab.workload.Window;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntFunction;
import java.util.function.LongConsumer;

/** Reads every key once and judges every byte; keys whose read fails are tried again. */
public final class ReadBack {
  private static final int ATTEMPTS = 4;
  private static final int MAX_EXAMPLES = 10;
  private static final int IN_FLIGHT = 192;

  private final RowCheck check;
  private final int keys;
  private final AtomicLong lost = new AtomicLong();
  private final AtomicLong wrong = new AtomicLong();
  private final List<String> examples = Collections.synchronizedList(new ArrayList<>());

  /** A read-back of keys [0, keys). Use once. */
  public ReadBack(RowCheck check, int keys) {
    this.check = check;
    this.keys = keys;
  }

  /** Reads back every row of a client at one consistency level. */
  public static CheckOutcome of(PairClient client, ConsistencyLevel level, LongConsumer progress) {
    return of(client, key -> level, progress);
  }

  /** Reads back every row of a client, each key at a level of its own. */
  public static CheckOutcome of(
      PairClient client, IntFunction<ConsistencyLevel> levelOf, LongConsumer progress) {
    RowCheck check = new RowCheck(client.codec(), client.ledger());
    return new ReadBack(check, client.ledger().keys())
        .run(key -> client.table().read(key, levelOf.apply(key)), progress);
  }

  /** Reads and judges all keys through the given read. */
  CheckOutcome run(IntFunction<CompletionStage<Optional<ByteBuffer>>> read, LongConsumer progress) {
    BitSet pending = new BitSet(keys);
    pending.set(0, keys);
    for (int attempt = 0; attempt < ATTEMPTS && !pending.isEmpty(); attempt++) {
      BitSet answered = new BitSet(keys);
      try (Window window = new Window(IN_FLIGHT, 0, progress)) {
        pending.stream()
            .forEach(key -> window.submit(() -> read.apply(key), v -> judge(key, v, answered)));
      }
      pending.andNot(answered);
    }
    int unread = pending.cardinality();
    return new CheckOutcome(keys - unread, lost.get(), wrong.get(), unread, examples);
  }

  private void judge(int key, Optional<ByteBuffer> value, BitSet answered) {
    Verdict verdict = check.judge(key, value);
    synchronized (answered) {
      answered.set(key);
    }
    if (verdict == Verdict.INTACT) {
      return;
    }
    (verdict == Verdict.LOST ? lost : wrong).incrementAndGet();
    if (examples.size() < MAX_EXAMPLES) {
      examples.add("key %d: %s".formatted(key, verdict));
    }
  }
}
