package io.counterpart.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.servererrors.ReadFailureException;
import io.counterpart.process.ProcessIdentity;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;

/**
 * Many reads of a table whose server takes two seconds for an answer: they take some of the node's
 * threads for reads, and another table's reads have the others.
 */
final class ReadsBesideSlowServer {
  /** More than the node takes from clients at a time, which are more than it reads at a time. */
  private static final int READS = 120;

  private static final Duration ANSWER = Duration.ofSeconds(2);

  /** Of {@code concurrent_reads}. */
  private static final int HALF = 8;

  /** Less than a thread waits for the server, whose {@code timeout_ms} is 10 s. */
  private static final Duration QUICK = Duration.ofSeconds(8);

  private final CqlSession session;
  private final PreparedStatement onServer;
  private final PreparedStatement other;

  /**
   * @param onServer a table with its keyspace, of rows that are on the server
   * @param other a table that is not
   */
  ReadsBesideSlowServer(CqlSession session, String onServer, String other) {
    this.session = session;
    this.onServer = session.prepare("SELECT value FROM %s WHERE id = ?".formatted(onServer));
    this.other = session.prepare("SELECT value FROM %s WHERE id = ?".formatted(other));
  }

  void check(ProcessIdentity server) throws Exception {
    List<CompletableFuture<?>> reads = new ArrayList<>();
    server.pause();
    try {
      for (int id = 0; id < READS; id++) {
        reads.add(session.executeAsync(onServer.bind(id)).toCompletableFuture());
      }
      // one that waited for the server would keep it from going on
      for (long end = System.nanoTime() + ANSWER.toNanos(); System.nanoTime() < end; ) {
        checkOther();
      }
    } finally {
      server.resume();
    }
    checkOther();
    for (CompletableFuture<?> read : reads) {
      read.handle((done, failure) -> done).get(30, TimeUnit.SECONDS);
    }
    long answered = reads.stream().filter(read -> !read.isCompletedExceptionally()).count();
    assertThat(answered).as("reads that the server has answered").isGreaterThanOrEqualTo(HALF);
    reads.stream()
        .filter(CompletableFuture::isCompletedExceptionally)
        .forEach(
            refused ->
                assertThatThrownBy(refused::join)
                    .isInstanceOf(CompletionException.class)
                    .hasCauseInstanceOf(ReadFailureException.class));
  }

  private void checkOther() {
    long begin = System.nanoTime();
    assertThat(session.execute(other.bind(1)).one()).isNotNull();
    assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(QUICK);
  }
}
