package io.counterpart.lab.tier;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.lab.setup.Progress;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TierDemoTest {
  @Test
  void without_memcached_it_is_left_out_aloud(@TempDir Path directory) throws IOException {
    List<String> said = new ArrayList<>();
    Progress progress =
        new Progress() {
          @Override
          public void say(String line) {
            said.add(line);
          }

          @Override
          public LongConsumer step(String label, long total) {
            return done -> {};
          }
        };

    assertThat(new TierDemo(directory.resolve("tier"), 1, progress, "no-such-program").run())
        .isEmpty();

    assertThat(said)
        .containsExactly(
            "memory tier: SKIPPED, because memcached is not installed: the Debian package memcached"
                + " (apt-get install memcached)");
    assertThat(directory).isEmptyDirectory();
  }
}
