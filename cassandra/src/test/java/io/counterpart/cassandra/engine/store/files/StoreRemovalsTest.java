package io.counterpart.cassandra.engine.store.files;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.engine.KvEngine;
import io.counterpart.engine.KvStore;
import io.counterpart.engine.StoreAwayException;
import io.counterpart.engine.StoreException;
import io.counterpart.engine.StorePlace;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Stores of a server that may be away. */
class StoreRemovalsTest {
  @TempDir private Path root;
  private final Server server = new Server();
  private final List<StoreFolder> emptied = new ArrayList<>();
  private long nanos;
  private final StoreRemovals removals = new StoreRemovals(() -> nanos);
  private StoreFolder folder;

  @BeforeEach
  void createFolder() {
    folder = StoreFolder.of(root, "engine", server.location());
    folder.create();
  }

  @Test
  void a_folder_is_told_with_its_last_store() throws Exception {
    add(1);
    StoreLocation read = location(2);
    boolean[] isReleased = {false};
    removals.add(read, () -> isReleased[0]);

    removals.run(emptied::add);
    assertThat(server.asked).containsExactly(1L);
    assertThat(emptied).isEmpty();
    isReleased[0] = true;
    removals.run(emptied::add);
    removals.run(emptied::add);

    assertThat(server.asked).containsExactly(1L, 2L);
    assertThat(emptied).containsExactly(folder);
    assertThat(folder.isUnused()).isTrue();
  }

  @Test
  void a_server_that_is_away_is_asked_again_after_a_while() throws Exception {
    add(1);
    add(2);
    server.failure = new StoreAwayException("away");

    removals.run(emptied::add);
    removals.run(emptied::add);
    assertThat(server.asked).as("the others need not ask").hasSize(1);
    server.failure = null;
    nanos += StoreRemovals.REST.toNanos() - 1;
    removals.run(emptied::add);
    assertThat(server.asked).hasSize(1);
    nanos++;
    removals.run(emptied::add);

    assertThat(server.asked).hasSize(3);
    assertThat(emptied).containsExactly(folder);
  }

  @Test
  void what_cannot_be_deleted_stays_for_the_next_start() throws Exception {
    add(1);
    server.failure = new StoreException("refused");

    removals.run(emptied::add);
    server.failure = null;
    removals.run(emptied::add);

    assertThat(server.asked).hasSize(1);
    assertThat(emptied).isEmpty();
    assertThat(folder.files().retired()).containsExactly(1L);
  }

  /** Its directory has another store by now. */
  @Test
  void what_is_not_retired_any_more_stays() throws Exception {
    add(1);
    folder.files().forget(1);

    removals.run(emptied::add);

    assertThat(server.asked).isEmpty();
    assertThat(folder.files().numbers()).containsExactly(1L);
  }

  private void add(long number) throws Exception {
    removals.add(location(number), () -> true);
  }

  private StoreLocation location(long number) throws Exception {
    Path directory = Files.createDirectories(folder.files().directory(number));
    folder.files().retire(number);
    return new StoreLocation(folder, number, server, new StorePlace(directory, "ks", "t"));
  }

  private static final class Server implements KvEngine {
    private final List<Long> asked = new ArrayList<>();
    private @Nullable StoreException failure;

    @Override
    public String location() {
      return "server of a test";
    }

    @Override
    public boolean isOnServer() {
      return true;
    }

    @Override
    public KvStore open(StorePlace place) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void drop(StorePlace place) {
      asked.add(Long.valueOf(String.valueOf(place.directory().getFileName())));
      if (failure != null) {
        throw failure;
      }
      KvEngine.super.drop(place);
    }
  }
}
