package io.counterpart.lab.tier.arm;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.counterpart.cache.coding.CodeShape;
import io.counterpart.lab.check.CheckOutcome;
import io.counterpart.lab.tier.client.TierShape;
import io.counterpart.lab.tier.network.TierNetwork;
import io.counterpart.memcached.MemcachedProgram;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Objects of a real tier, some of them spoilt behind the client's back. */
class TierReadBackTest {
  private static final int OBJECTS = 200;
  private static final TierShape SHAPE =
      new TierShape(new CodeShape(3, 2), 3, OBJECTS, 64, TierNetwork.DIRECT);

  @TempDir private Path directory;

  @BeforeEach
  void needs_memcached() {
    assumeThat(MemcachedProgram.find("memcached")).as(MemcachedProgram.ADVICE).isPresent();
  }

  @Test
  void finds_what_is_lost_and_what_is_wrong() throws IOException {
    try (OpenArm arm = OpenArm.open(TierArm.VANILLA, SHAPE, 0, directory.resolve("v"), 1)) {
      Loading.run(arm, "load", done -> {}, Sampling.none());
      assertThat(TierReadBack.of(arm, done -> {}))
          .isEqualTo(new CheckOutcome(OBJECTS, 0, 0, 0, List.of()));

      answer(arm, "delete " + name(arm, 7) + "\r\n", "DELETED");
      answer(arm, "set " + name(arm, 8) + " 0 0 3\r\nabc\r\n", "STORED");
      CheckOutcome outcome = TierReadBack.of(arm, done -> {});

      assertThat(outcome.checked()).isEqualTo(OBJECTS);
      assertThat(outcome.lost()).isEqualTo(1);
      assertThat(outcome.wrong()).isEqualTo(1);
      assertThat(outcome.examples())
          .containsExactly("vanilla: object 7 is LOST", "vanilla: object 8 is WRONG");
    }
    assertThat(directory.resolve("v")).doesNotExist();
  }

  @Test
  void a_server_that_is_gone_leaves_objects_unread_and_a_code_does_not() throws IOException {
    try (OpenArm vanilla = OpenArm.open(TierArm.VANILLA, SHAPE, 0, directory.resolve("v"), 1);
        OpenArm coded = OpenArm.open(TierArm.ECHASH, SHAPE, 0, directory.resolve("c"), 1)) {
      Loading.run(vanilla, "load", done -> {}, Sampling.none());
      Loading.run(coded, "load", done -> {}, Sampling.none());
      vanilla.servers().kill(1);
      coded.servers().kill(1);

      CheckOutcome without = TierReadBack.of(vanilla, done -> {});
      CheckOutcome with = TierReadBack.of(coded, done -> {});

      assertThat(without.unread()).isPositive();
      assertThat(without.checked() + without.unread()).isEqualTo(OBJECTS);
      assertThat(with.clean()).isTrue();
      assertThat(with.checked()).isEqualTo(OBJECTS);
      assertThat(coded.counted().get("degradedReads")).isPositive();
    }
  }

  private static String name(OpenArm arm, int key) {
    return new String(arm.data().key(key), US_ASCII);
  }

  private static void answer(OpenArm arm, String request, String expected) throws IOException {
    try (Socket socket =
        new Socket(arm.tier().address().getAddress(), arm.tier().address().getPort())) {
      socket.getOutputStream().write((request + "quit\r\n").getBytes(US_ASCII));
      assertThat(new String(socket.getInputStream().readAllBytes(), US_ASCII).strip())
          .isEqualTo(expected);
    }
  }
}
