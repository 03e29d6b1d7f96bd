package io.counterpart.cache.ownership;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.cache.ownership.TierClaim.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TierClaimTest {
  private static final UUID OURS = UUID.fromString("0a0a0a0a-0000-4000-8000-00000000000a");
  private static final UUID OTHERS = UUID.fromString("0b0b0b0b-0000-4000-8000-00000000000b");
  private static final int EPOCH = 7;
  private static final long SITE = -2;

  @ParameterizedTest(name = "{0} epoch {1} site {2} → {3}")
  @CsvSource({
    "ours, 7, -2, OWN",
    "ours, 6, -2, INHERITED",
    "ours, 6, 5, OVERTAKEN",
    "ours, 7, 5, FOREIGN",
    "ours, 8, -2, FOREIGN",
    "ours, 8, 5, FOREIGN",
    "others, 7, -2, FOREIGN",
    "others, 1, 5, FOREIGN",
  })
  void judges_by_tier_epoch_and_site(String tier, int epoch, long site, Verdict expected) {
    ServerMark found =
        ServerMark.of(tier.equals("ours") ? OURS : OTHERS, epoch, site, true, CopySet.NONE);

    assertThat(claim().judge(ServerMark.parse(found.text()))).isEqualTo(expected);
  }

  @ParameterizedTest(name = "\"{0}\"")
  @ValueSource(
      strings = {
        "counterpart",
        "lacking",
        "counterpart tier=x",
        "counterpart tier=------------------------------------ epoch=1 site=00000000000000aa whole",
      })
  void takes_no_mark_without_an_id_for_its_own(String text) {
    assertThat(claim().judge(ServerMark.parse(text))).isEqualTo(Verdict.FOREIGN);
  }

  @Test
  void reads_what_it_writes() {
    CopySet copies = CopySet.NONE.next(EPOCH, List.of(-1L, 5L));
    for (boolean isWhole : new boolean[] {true, false}) {
      ServerMark named = claim().mark(isWhole, copies);
      assertThat(ServerMark.parse(named.text())).isEqualTo(named);
      ServerMark mark = claim().mark(isWhole, CopySet.NONE);
      assertThat(ServerMark.parse(mark.text())).isEqualTo(mark);
      assertThat(mark.state())
          .isEqualTo(isWhole ? ServerMark.State.WHOLE : ServerMark.State.LACKING);
    }
    assertThat(claim().judge(null)).isEqualTo(Verdict.FREE);
  }

  @Test
  void a_refusal_names_the_server_and_both_tiers_and_what_to_do() {
    assertThat(
            claim().refusal("cache1:11211", ServerMark.of(OTHERS, 1, 1, true, CopySet.NONE)).why())
        .contains("cache1:11211", OURS.toString(), OTHERS.toString(), "/meta", "--adopt-empty");
    assertThat(claim().refusal("cache1:11211", ServerMark.parse("counterpart")).why())
        .contains("mark is not understood, 'counterpart'", OURS.toString(), "--adopt-empty");
    assertThat(claim().refusal("cache1:11211", ServerMark.of(OURS, 9, 1, true, CopySet.NONE)).why())
        .contains("cache1:11211", "start 9", "start 7", "another machine", "old copy");
  }

  @Test
  void two_directories_are_two_sites(@TempDir Path directory) throws IOException {
    Path one = Files.createDirectory(directory.resolve("one"));
    Path other = Files.createDirectory(directory.resolve("other"));

    assertThat(OwnerSite.of(one)).isEqualTo(OwnerSite.of(one)).isNotEqualTo(OwnerSite.of(other));
  }

  private static TierClaim claim() {
    return new TierClaim(OURS, EPOCH, SITE, false, "/meta");
  }
}
