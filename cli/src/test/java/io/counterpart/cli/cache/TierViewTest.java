package io.counterpart.cli.cache;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.counterpart.cache.control.CodedReport;
import io.counterpart.cache.control.TierReport;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The state of a tier whose proxies answer, while nobody tells of its objects. */
class TierViewTest {
  private static final String NO_OWNER = "no proxy owns the tier now";

  @ParameterizedTest
  @ValueSource(strings = {"waiting", "owner"})
  void a_tier_whose_owner_tells_nothing_is_not_up(String role) {
    TierView view = view("5,3", role, "waiting");

    assertThat(view.allUp()).isFalse();
    assertThat(view.text()).contains(NO_OWNER);
    assertThat(view.json()).containsEntry("allUp", false);
  }

  /** Its control socket is not known here. */
  @ParameterizedTest
  @ValueSource(strings = {"follower", "counting follower"})
  void a_proxy_may_forward_to_an_owner_that_cannot_be_asked(String role) {
    TierView view = view("5,3", role, "waiting");

    assertThat(view.allUp()).isTrue();
    assertThat(view.text()).doesNotContain(NO_OWNER);
  }

  @Test
  void without_a_code_there_is_no_owner() {
    TierView view = view(null, null, null);

    assertThat(view.allUp()).isTrue();
    assertThat(view.text()).doesNotContain(NO_OWNER);
  }

  @Test
  void servers_of_several_shards_show_theirs() {
    TierView view = coded(2, server("127.0.0.1:1", 0, 2), server("127.0.0.1:2", 1, 0));

    assertThat(view.text().lines().map(line -> line.split(" +")))
        .anySatisfy(cells -> assertThat(cells).startsWith("server", "state", "shard", "ring"))
        .anySatisfy(cells -> assertThat(cells).startsWith("127.0.0.1:1", "up", "0", "2", "up"))
        .anySatisfy(cells -> assertThat(cells).startsWith("127.0.0.1:2", "up", "1", "0", "up"));
    assertThat(view.text())
        .contains(
            "code (3,2), 2 shards, each with at least 2 of 3 rings up; java",
            "objects survive the loss of a server in each shard; if more are lost");
    assertThat(json(view).at("/servers/1/shard").asInt(-1)).isEqualTo(1);
    assertThat(json(view).at("/coded/shards").asInt()).isEqualTo(2);
  }

  @Test
  void a_tier_with_one_shard_does_not_mention_it() {
    TierView view = coded(1, server("127.0.0.1:1", null, 2));

    assertThat(view.text().lines().map(line -> line.split(" +")))
        .anySatisfy(cells -> assertThat(cells).startsWith("server", "state", "ring", "use"))
        .anySatisfy(cells -> assertThat(cells).startsWith("127.0.0.1:1", "up", "2", "up"));
    assertThat(view.text())
        .contains(
            "code (3,2): 2 of 3 rings up; java",
            "objects survive the loss of a server; if more are lost")
        .doesNotContain("shard");
    assertThat(json(view).toString()).doesNotContain("shard");
  }

  @Test
  void a_shard_without_an_owner_is_told() {
    ProxyView proxy = proxy("5,3", "owner of 1 of 2 shards");
    TierView view =
        new TierView(Path.of("home"), 2, List.of(), List.of(proxy), List.of(), null, null);

    assertThat(view.allUp()).isFalse();
    assertThat(view.text()).contains("a shard of the tier has no owner now");
  }

  @Test
  void a_tier_is_not_up_while_only_some_of_its_shards_are_told() {
    ServerView told = server("127.0.0.1:1", 0, 2);

    assertThat(coded(2, told, server("127.0.0.1:2", 1, 0)).allUp()).isTrue();
    TierView view = coded(2, told, server("127.0.0.1:2", null, 0));

    assertThat(view.allUp()).isFalse();
    assertThat(view.text()).contains("a shard of the tier has no owner now", "figures lack it");
  }

  private static JsonNode json(TierView view) {
    return new ObjectMapper().valueToTree(view.json());
  }

  private static TierView coded(int shards, ServerView... servers) {
    CodedReport objects =
        new CodedReport(
            3, 2, "java", 2, 7, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 128, 0, 0, 0, 0, 0, 0, 0, 0);
    TierReport report = new TierReport("echash (3,2)", List.of(), objects, null);
    return new TierView(
        Path.of("home"),
        shards,
        List.of(),
        List.of(proxy("3,2", "owner")),
        List.of(servers),
        CodedView.of(report, shards, null),
        null);
  }

  private static ServerView server(String address, @Nullable Integer shard, int ring) {
    return new ServerView(
        address, "up", null, shard, ring, "up", 1L, 0L, 0L, 64L << 20, 0L, null, 0L, 0L);
  }

  private static TierView view(@Nullable String code, @Nullable String one, @Nullable String two) {
    return new TierView(
        Path.of("home"),
        1,
        List.of(),
        List.of(proxy(code, one), proxy(code, two)),
        List.of(),
        null,
        null);
  }

  private static ProxyView proxy(@Nullable String code, @Nullable String role) {
    return new ProxyView(
        "127.0.0.1:11211",
        "up",
        null,
        1L,
        role,
        "echash",
        code,
        false,
        false,
        0L,
        0L,
        null,
        0L,
        null);
  }
}
