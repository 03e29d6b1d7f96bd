package io.counterpart.cassandra.compaction;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class CreationTimesTest {
  private final List<String> read = new ArrayList<>();
  private final CreationTimes<String> times =
      new CreationTimes<>(
          file -> {
            read.add(file);
            return file.length();
          });

  @Test
  void asks_the_file_system_once_for_each_file() {
    times.learn(List.of("a", "bb"));

    assertThat(times.ofMillis("bb")).isEqualTo(2);
    assertThat(times.ofMillis("ccc")).isEqualTo(3);
    assertThat(times.ofMillis("ccc")).isEqualTo(3);

    assertThat(read).containsExactly("a", "bb", "ccc");
  }

  @Test
  void nobody_waits_for_the_file_system_who_asks_about_another_file() {
    assertThat("Aa").hasSameHashCodeAs("BB");
    List<CreationTimes<String>> made = new ArrayList<>();
    made.add(
        new CreationTimes<>(
            file -> {
              CompletableFuture.runAsync(() -> made.get(0).forget("BB"))
                  .orTimeout(10, TimeUnit.SECONDS)
                  .join();
              return 1;
            }));

    assertThat(made.get(0).ofMillis("Aa")).isEqualTo(1);
  }

  @Test
  void keeps_nothing_of_a_file_that_is_gone() {
    times.learn(List.of("a"));

    times.forget("a");

    assertThat(times.size()).isZero();
  }
}
