package io.counterpart.cache.ownership;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.cache.ownership.CopyMembership.Change;
import io.counterpart.cache.ownership.CopyMembership.Copy;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CopyMembershipTest {
  /**
   * Each copy is {@code id} with {@code +} if it counts, {@code =} if it has all, then milliseconds
   * since it was heard of, then those for which the owner has waited for it.
   */
  @ParameterizedTest(name = "{0} at most {1}: {2}")
  @CsvSource({
    "1+=/0/0, 2, nothing",
    "1+=/999/999, 2, nothing",
    "1+=/1001/0, 2, drop 1",
    "1+/0/1001, 2, drop 1",
    "1=/0/0, 2, admit 1",
    "1/0/0, 2, nothing",
    "1=/1001/0, 2, nothing",
    "1=/0/0, 1, nothing",
    "1+=/0/0 2=/0/0, 2, nothing",
    "1+=/0/0 2=/0/0, 3, admit 2",
    "1=/0/0 2=/0/0, 2, admit 1",
    "1+=/1001/0 2=/0/0, 2, drop 1",
    "1+=/0/0 2+=/0/0, 2, nothing",
  })
  void waits_for_those_that_keep_up(String copies, int most, String expected) {
    List<Copy> seen = Arrays.stream(copies.split(" ")).map(CopyMembershipTest::copy).toList();

    assertThat(CopyMembership.next(seen, most).map(CopyMembershipTest::text).orElse("nothing"))
        .isEqualTo(expected);
  }

  private static Copy copy(String text) {
    String[] parts = text.split("/");
    return new Copy(
        Long.parseLong(parts[0].replaceAll("\\D", "")),
        parts[0].contains("+"),
        parts[0].contains("="),
        TimeUnit.MILLISECONDS.toNanos(Long.parseLong(parts[1])),
        TimeUnit.MILLISECONDS.toNanos(Long.parseLong(parts[2])));
  }

  private static String text(Change change) {
    return (change.counts() ? "admit " : "drop ") + change.id();
  }
}
