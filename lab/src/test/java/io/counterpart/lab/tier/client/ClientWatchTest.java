package io.counterpart.lab.tier.client;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ClientWatchTest {
  private final ClientWatch watch = new ClientWatch();

  @Test
  void tells_the_answers_since_the_call_before() {
    for (int i = 0; i < 98; i++) {
      watch.read(true, 100);
    }
    watch.wrote(true, 100);
    watch.read(false, 900);

    ClientWatch.Answers first = watch.since();
    watch.wrote(false, 50);
    ClientWatch.Answers second = watch.since();

    assertThat(first).isEqualTo(new ClientWatch.Answers(99, 99, 98, 100));
    assertThat(second).as("a refused write").isEqualTo(new ClientWatch.Answers(0, 0, 0, 50));
    assertThat(watch.since()).isEqualTo(new ClientWatch.Answers(0, 0, 0, 0));
  }
}
