package io.counterpart.cassandra.engine.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.cassandra.engine.store.Generations;
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
import java.util.UUID;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.cql3.statements.schema.CreateTableStatement;
import org.apache.cassandra.dht.Murmur3Partitioner;
import org.apache.cassandra.schema.TableMetadataRef;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServerWatchTest {
  private static final UUID HOST = new UUID(1, 2);

  @TempDir private Path directory;
  private ServerWatch watch;

  @BeforeAll
  static void initialize() {
    DatabaseDescriptor.clientInitialization(false);
    DatabaseDescriptor.setPartitionerUnsafe(Murmur3Partitioner.instance);
  }

  @BeforeEach
  void open() {
    TableMetadataRef table =
        TableMetadataRef.forOfflineTools(
            CreateTableStatement.parse("CREATE TABLE t (pk int PRIMARY KEY, v int)", "ks")
                .partitioner(Murmur3Partitioner.instance)
                .build());
    Generations stores = Generations.open(directory, "engine", new OnServer(), table, HOST);
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
