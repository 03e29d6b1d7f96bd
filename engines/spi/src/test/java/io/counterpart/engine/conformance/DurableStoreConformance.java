package io.counterpart.engine.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.engine.KvBatch;
import io.counterpart.engine.KvRange;
import io.counterpart.engine.KvSnapshot;
import io.counterpart.engine.KvStore;
import io.counterpart.engine.StorePlace;
import java.io.BufferedReader;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a store with files must do beside: outlive its process, however that ends. */
public abstract class DurableStoreConformance extends KvStoreConformance {
  private static final int KILLS = 3;

  @Test
  void is_the_same_after_it_was_reopened() {
    put("a", "1");
    put("k".repeat(700), "2");
    store.close();

    store = engine().open(place("store"));

    assertThat(get("a")).isEqualTo("1");
    assertThat(get("k".repeat(700))).isEqualTo("2");
    store.truncate();
    store.close();
    store = engine().open(place("store"));
    assertThat(keys(KvRange.all())).isEmpty();
  }

  /** A child process writes until it is killed; it has reported each batch before the next. */
  @Test
  void a_kill_leaves_whole_batches_and_all_that_were_acknowledged() throws Exception {
    StorePlace killed = place("killed");
    int acknowledged = -1;
    for (int kill = 0; kill < KILLS; kill++) {
      acknowledged = Math.max(acknowledged, writeUntilKilled(killed, 10 + 10 * kill));

      try (KvStore reopened = engine().open(killed);
          KvSnapshot snapshot = reopened.snapshot()) {
        List<String> keys = keys(snapshot, KvRange.all());
        assertThat(keys).hasSize(BatchWriter.KEYS);
        String value = value(snapshot, keys.get(0));
        assertThat(keys).allSatisfy(key -> assertThat(value(snapshot, key)).isEqualTo(value));
        assertThat(Integer.parseInt(value)).isGreaterThanOrEqualTo(acknowledged);
      }
    }
  }

  private static String value(KvSnapshot snapshot, String key) {
    byte[] value = snapshot.get(bytes(key));
    return value == null
        ? "absent"
        : new String(value, java.nio.charset.StandardCharsets.ISO_8859_1).strip();
  }

  private int writeUntilKilled(StorePlace killed, int batches) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-cp", classPath(), BatchWriter.class.getName()));
    command.add(provider().getClass().getName());
    command.addAll(List.of(killed.directory().toString(), killed.keyspace(), killed.table()));
    options().forEach((name, value) -> command.add(name + "=" + value));
    Process writer =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    int last = -1;
    try (BufferedReader lines = writer.inputReader()) {
      for (int i = 0; i < batches; i++) {
        String line = lines.readLine();
        assertThat(line).as("the writer ended by itself").isNotNull();
        last = Integer.parseInt(line);
      }
      // unlike the process' own method, the handle's leaves what was printed to be read
      writer.toHandle().destroyForcibly();
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        last = line.isEmpty() ? last : Math.max(last, Integer.parseInt(line));
      }
    }
    writer.waitFor();
    return last;
  }

  private static String classPath() {
    return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"))
        .replace("\n", File.pathSeparator);
  }

  @Test
  void an_empty_batch_does_no_harm() {
    store.write(new KvBatch());
    assertThat(keys(KvRange.all())).isEmpty();
  }
}
