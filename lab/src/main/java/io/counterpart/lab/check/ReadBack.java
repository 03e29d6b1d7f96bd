package io.counterpart.lab.check;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.metadata.token.TokenRange;
import io.counterpart.lab.workload.OperationKind;
import io.counterpart.lab.workload.PairClient;
import io.counterpart.lab.workload.Window;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.LongConsumer;

/**
 * Reads every row back and judges every byte: scans the whole ring, then reads each key alone that
 * no scan returned.
 *
 * <p>A scan asks every replica of the consistency level for full rows, and costs a tenth of single
 * reads. What it misses, be it a failed range or an absent row, is settled by single reads, some of
 * them repeated.
 */
public final class ReadBack {
  private static final int ATTEMPTS = 4;
  private static final int READS_IN_FLIGHT = 128;
  private static final int SCANS_IN_FLIGHT = 6;

  private final Verdicts verdicts;

  private ReadBack(Verdicts verdicts) {
    this.verdicts = verdicts;
  }

  /**
   * Reads back every row of a client.
   *
   * @param progress told the rows judged so far
   */
  public static CheckOutcome of(PairClient client, ConsistencyLevel level, LongConsumer progress) {
    RowCheck check = new RowCheck(client.codec(), client.ledger());
    ReadBack readBack = new ReadBack(new Verdicts(check, client.rows()));
    readBack.scan(
        client.ring(),
        range ->
            client
                .table()
                .scan(
                    range, level, (key, value) -> readBack.verdicts.judge(key, Optional.of(value))),
        progress);
    return readBack.single(key -> client.table().read(key, level));
  }

  /** Reads keys [0, keys) one by one through the given read. */
  static CheckOutcome single(
      RowCheck check, int keys, IntFunction<CompletionStage<Optional<ByteBuffer>>> read) {
    return new ReadBack(new Verdicts(check, keys)).single(read);
  }

  private void scan(
      List<TokenRange> ring,
      Function<TokenRange, CompletionStage<Void>> scan,
      LongConsumer progress) {
    try (Window window = new Window(SCANS_IN_FLIGHT, 0, done -> {})) {
      for (TokenRange range : ring) {
        window.submit(OperationKind.SCAN, () -> scan.apply(range), done -> {});
        progress.accept(verdicts.judged());
      }
    }
    progress.accept(verdicts.judged());
  }

  private CheckOutcome single(IntFunction<CompletionStage<Optional<ByteBuffer>>> read) {
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      try (Window window = new Window(READS_IN_FLIGHT, 0, done -> {})) {
        verdicts.open().stream()
            .forEach(
                key ->
                    window.submit(
                        OperationKind.READ,
                        () -> read.apply(key),
                        value -> verdicts.judge(key, value)));
      }
    }
    return verdicts.outcome();
  }
}
