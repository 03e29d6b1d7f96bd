package io.counterpart.lab.tier.arm;

import io.counterpart.lab.check.CheckOutcome;
import io.counterpart.lab.check.RowCheck;
import io.counterpart.lab.check.RowCheck.Verdict;
import io.counterpart.lab.check.VerdictTally;
import io.counterpart.lab.tier.client.ReadAnswers;
import io.counterpart.lab.tier.client.TierClient;
import io.counterpart.lab.tier.client.TierData;
import io.counterpart.lab.tier.client.TierRequests;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongConsumer;

/**
 * Reads every object back through the proxy and judges every byte. Retries failed reads a few
 * times. Not thread-safe.
 */
public final class TierReadBack implements ReadAnswers {
  private static final int CONNECTIONS = 4;
  private static final int DEPTH = 64;
  private static final int ATTEMPTS = 3;
  private static final int EXAMPLES = 3;

  private final String arm;
  private final TierData data;
  private final RowCheck check;
  private final List<String> examples = new ArrayList<>();
  private List<Integer> unread = new ArrayList<>();
  private final VerdictTally tally = new VerdictTally();

  private TierReadBack(String arm, TierData data) {
    this.arm = arm;
    this.data = data;
    check = new RowCheck(data.codec(), data.ledger());
  }

  /**
   * Reads back every object of an arm.
   *
   * @throws IOException if the proxy does not answer
   */
  public static CheckOutcome of(OpenArm arm, LongConsumer progress) throws IOException {
    try (TierClient client = arm.client(CONNECTIONS, DEPTH)) {
      return of(arm.name(), arm.data(), client, progress);
    }
  }

  /** The same through a client of the arm's proxy. */
  public static CheckOutcome of(String arm, TierData data, TierClient client, LongConsumer progress)
      throws IOException {
    TierReadBack readBack = new TierReadBack(arm, data);
    client.run(TierRequests.all(data.objects(), false), readBack, progress);
    for (int attempt = 1; attempt < ATTEMPTS && !readBack.unread.isEmpty(); attempt++) {
      List<Integer> again = readBack.unread;
      readBack.unread = new ArrayList<>();
      client.run(TierRequests.reads(again), readBack, done -> {});
    }
    return readBack.outcome();
  }

  private CheckOutcome outcome() {
    return tally.outcome(
        data.objects() - unread.size(), unread.size(), examples.stream().sorted().toList());
  }

  @Override
  public void value(int key, ByteBuffer value) {
    judge(key, Optional.of(value));
  }

  @Override
  public void absent(int key) {
    judge(key, Optional.empty());
  }

  @Override
  public void failed(int key, String answer) {
    unread.add(key);
    example("object %d: %s", key, answer);
  }

  private void judge(int key, Optional<ByteBuffer> value) {
    Verdict verdict = check.judge(key, value);
    if (tally.add(verdict)) {
      example("object %d is %s", key, verdict);
    }
  }

  private void example(String format, Object... values) {
    if (examples.size() < EXAMPLES) {
      examples.add(arm + ": " + format.formatted(values));
    }
  }
}
