package io.counterpart.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RecentFailuresTest {
  private final AtomicLong now = new AtomicLong();
  private final RecentFailures failures = new RecentFailures(now::get);

  @Test
  void tells_each_tables_last_failure() {
    failures.note("ks.u", "first");
    failures.note("ks.u", "refused: port 6379");
    failures.note("ks.t", "second | on\ntwo lines");

    String line = failures.line();

    assertThat(line).isEqualTo("ks.t: second on two lines | ks.u: refused: port 6379");
    assertThat(RecentFailures.reason(line, "ks.t")).contains("second on two lines");
    assertThat(RecentFailures.reason(line, "ks.u")).contains("refused: port 6379");
    assertThat(RecentFailures.reason(line, "s.t")).isEmpty();
    assertThat(RecentFailures.reason("", "ks.t")).isEmpty();
    assertThat(failures.reason("ks.u")).contains("refused: port 6379");
    assertThat(failures.reason("s.t")).isEmpty();
  }

  @Test
  void forgets_what_is_not_recent() {
    failures.note("ks.t", "early");
    now.addAndGet(RecentFailures.KEPT.toNanos());
    failures.note("ks.u", "late");
    assertThat(failures.line()).isEqualTo("ks.t: early | ks.u: late");

    now.addAndGet(1);

    assertThat(failures.line()).isEqualTo("ks.u: late");
    assertThat(failures.reason("ks.t")).isEmpty();
  }

  /** Each change of the line is news for the whole cluster. */
  @Test
  void the_line_stays_while_words_and_order_of_failures_change() {
    failures.note("ks.t", "at one write for 1000 ms");
    failures.note("ks.u", "cannot be read");
    String line = failures.line();

    now.addAndGet(RecentFailures.KEPT.toNanos());
    failures.note("ks.u", "cannot be reached");
    failures.note("ks.t", "at one write for 2000 ms");
    assertThat(failures.line()).isEqualTo(line);
    assertThat(failures.reason("ks.t")).contains("at one write for 2000 ms");

    now.addAndGet(1);
    assertThat(failures.line())
        .isEqualTo("ks.t: at one write for 2000 ms | ks.u: cannot be reached");
  }

  @Test
  void is_bounded() {
    for (int i = 0; i <= RecentFailures.MOST_TABLES; i++) {
      failures.note("ks.t" + i, "x".repeat(RecentFailures.MOST_REASON + i));
    }

    assertThat(failures.reason("ks.t0")).isEmpty();
    assertThat(failures.reason("ks.t1").orElseThrow())
        .hasSize(RecentFailures.MOST_REASON)
        .endsWith("x…");
    assertThat(failures.line())
        .hasSizeBetween(RecentFailures.MOST_LINE / 2, RecentFailures.MOST_LINE);
  }
}
