package io.counterpart.cache.ownership;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.cache.coding.CodeShape;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class StartQuorumTest {
  private static final int DATA_MOST = 10;

  static List<CodeShape> shapes() {
    return IntStream.rangeClosed(3, 14)
        .boxed()
        .flatMap(
            n ->
                Stream.iterate(2, k -> k < n && k <= DATA_MOST, k -> k + 1)
                    .map(k -> new CodeShape(n, k)))
        .toList();
  }

  /** The start finds the rings that a minimal running owner leaves. */
  @ParameterizedTest
  @MethodSource("shapes")
  void no_start_takes_over_beside_an_owner_that_goes_on(CodeShape code) {
    int ofTheOwner = code.k();
    for (int down = ofTheOwner; down <= code.n(); down++) {
      assertThat(new StartQuorum(code).suffices(down, code.n())).as("%d down", down).isFalse();
    }
  }

  @ParameterizedTest
  @MethodSource("shapes")
  void no_two_starts_take_over(CodeShape code) {
    for (int down = 0; down <= code.n(); down++) {
      boolean first = new StartQuorum(code).suffices(down, code.n());
      boolean second = new StartQuorum(code).suffices(code.n() - down, code.n());
      assertThat(first && second).as("%d down", down).isFalse();
    }
  }

  @ParameterizedTest(name = "code=({0},{1}), {2} rings late, {3} late or lacking items: {4}")
  @CsvSource({
    "5,3,2,2,true",
    "5,3,3,3,false",
    "5,3,1,2,true",
    "5,3,1,3,false", // the third may be the only one with an acknowledged entry
    "5,3,0,2,true",
    "5,3,0,5,true", // too much is lost, and waiting brings nothing back
    "5,3,2,5,false", // three lack items, and going on would empty the two that do not
    "4,3,1,1,true",
    "4,3,1,2,false",
  })
  void a_start_waits_for_rings_that_may_be_the_only_ones_with_a_write(
      int n, int k, int late, int missing, boolean expected) {
    assertThat(new StartQuorum(new CodeShape(n, k)).findsAll(late, missing)).isEqualTo(expected);
  }

  @ParameterizedTest
  @MethodSource("shapes")
  void where_the_last_owner_was_k_rings_are_enough(CodeShape code) {
    int most = code.parityCount();
    assertThat(new StartQuorum(code).suffices(most, most)).isTrue();
    assertThat(new StartQuorum(code).suffices(most + 1, most + 1)).isFalse();
  }

  @ParameterizedTest(name = "code=({0},{1}) taking over with {2} rings down: {3}")
  @CsvSource({
    "5,3,2,true",
    "5,3,3,false",
    "14,10,4,true",
    "14,10,5,false", // as many as the code bears
    "4,2,1,true",
    "4,2,2,false",
    "6,2,1,true",
    "6,2,2,false",
    "6,3,2,true",
    "6,3,3,false"
  })
  void taking_over(int n, int k, int down, boolean suffices) {
    StartQuorum quorum = new StartQuorum(new CodeShape(n, k));
    assertThat(quorum.suffices(down, n)).isEqualTo(suffices);
  }

  @Test
  void an_emptied_server_does_not_keep_a_restart_waiting() {
    StartQuorum quorum = new StartQuorum(new CodeShape(6, 2));
    assertThat(quorum.suffices(3, 4)).isTrue();
    assertThat(quorum.suffices(3, 5)).isFalse();
  }
}
