package io.counterpart.core.runs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.counterpart.core.runs.BatchDecision.Reason;
import io.counterpart.core.runs.BatchDecision.Rewrite;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class BatchPolicyTest {
  private static final BatchPolicy POLICY = new BatchPolicy(4, 8, 100, Duration.ofMinutes(1));

  @Test
  void rewrites_urgently_at_the_limit_whatever_the_bytes() {
    assertThat(decide(8, 1, 0)).isEqualTo(new Rewrite(8, Reason.LIMIT, true));
    assertThat(decide(9, 1, 0)).isEqualTo(new Rewrite(8, Reason.LIMIT, true));
  }

  @Test
  void rejects_illegal_limits_with_value_and_range() {
    assertThatThrownBy(() -> new BatchPolicy(0, 8, 1, Duration.ofDays(1)))
        .hasMessage("minFiles 0, legal: 1 and above");
    assertThatThrownBy(() -> new BatchPolicy(4, 3, 1, Duration.ofDays(1)))
        .hasMessageContaining("maxFiles 3");
    assertThatThrownBy(() -> new BatchPolicy(4, 8, 1, Duration.ZERO)).hasMessageContaining("idle");
  }

  @Test
  void takes_along_what_is_small_and_not_much_more_than_what_comes() {
    assertThat(POLICY.takesAlong(List.of(10L, 49L, 50L), 10))
        .as("the third has half of the wished size")
        .isEqualTo(2);
    assertThat(POLICY.takesAlong(List.of(10L, 20L, 49L), 9))
        .as("all three are more than 8 times what comes")
        .isEqualTo(2);
    BatchPolicy paper = new BatchPolicy(4, 8, 0, Duration.ofMinutes(1));
    assertThat(paper.takesAlong(List.of(1L), 1)).as("no wished size").isZero();
  }

  private static BatchDecision decide(int files, long bytesEach, long settled) {
    return POLICY.decide(Collections.nCopies(files, bytesEach), Duration.ZERO, 2, settled);
  }
}
