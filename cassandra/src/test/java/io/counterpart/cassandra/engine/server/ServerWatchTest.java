package io.counterpart.cassandra.engine.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.counterpart.cassandra.engine.store.Generations;
import io.counterpart.cassandra.engine.store.OfflineStores;
import io.counterpart.core.engine.ServerAbsence;
import io.counterpart.engine.KvEngine;
import io.counterpart.engine.KvStore;
import io.counterpart.engine.StoreAwayException;
import io.counterpart.engine.StoreBusyException;
import io.counterpart.engine.StorePlace;
import io.counterpart.engine.conformance.MemoryStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.cassandra.schema.TableMetadataRef;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServerWatchTest {
  @TempDir private Path directory;
  private ServerWatch watch;

  @BeforeEach
  void open() {
    TableMetadataRef table = TableMetadataRef.forOfflineTools(OfflineStores.pairs());
    Generations stores =
        Generations.open(directory, "engine", new OnServer(), table, OfflineStores.HOST);
    watch = new ServerWatch(table, stores, new ServerAbsence(System::nanoTime));
  }

  @Test
  void a_server_that_is_away_is_gone_round() {
    watch.note(new IllegalStateException(new StoreAwayException("no answer")));

    assertThat(watch.isAway()).isTrue();
  }

  @Test
  void a_server_whose_readers_are_too_many_is_not_away() {
    watch.note(new IllegalStateException(new StoreBusyException("16 reads wait")));

    assertThat(watch.isAway()).isFalse();
  }

  @Test
  void a_node_that_stood_still_still_hears_the_server() {
    assertThatCode(() -> ServerWatch.await(new AnswerAfterPause())).doesNotThrowAnyException();
  }

  /** The first wait ends as if the time had passed at once, and the answer comes right then. */
  private static final class AnswerAfterPause extends CompletableFuture<String> {
    @Override
    public String get(long timeout, TimeUnit unit)
        throws InterruptedException, ExecutionException, TimeoutException {
      if (complete("here")) {
        throw new TimeoutException();
      }
      return super.get(timeout, unit);
    }
  }

  private static final class OnServer implements KvEngine {
    @Override
    public boolean isOnServer() {
      return true;
    }

    @Override
    public KvStore open(StorePlace place) {
      try {
        Files.createDirectories(place.directory());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return new MemoryStore();
    }
  }
}
