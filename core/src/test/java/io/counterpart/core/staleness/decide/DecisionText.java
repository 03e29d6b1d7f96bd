package io.counterpart.core.staleness.decide;

import io.counterpart.core.staleness.estimate.StaleBounds;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** A read, its policy and its evidence as text; each word changes one thing. */
final class DecisionText {
  private static final double DELTA = 0.05;

  private final Map<String, String> words = new HashMap<>();

  DecisionText(List<String> lines) {
    for (String line : lines) {
      String[] parts = line.split("\\s+", 2);
      words.put(parts[0], parts.length == 1 ? "" : parts[1]);
    }
  }

  ConsistencyPolicy policy() {
    Map<String, String> options = options("policy");
    options.put("mode", word("policy").split(" ")[0]);
    return PolicyText.parse(options, ConsistencyPolicy.DEFAULT);
  }

  ReadRequest request() {
    Map<String, String> options = options("read");
    String page = options.get("page");
    List<String> flags = List.of(word("read").split(" "));
    return new ReadRequest(
        ReadLevel.valueOf(flags.get(0)),
        ReadShape.valueOf(options.getOrDefault("shape", "ONE_PARTITION")),
        new RequestWish(
            flags.contains("strict"), OptionalLong.empty(), number(options, "deadline")),
        flags.contains("wrote"),
        page == null
            ? ReadRequest.Page.FIRST
            : ReadRequest.Page.later(
                page.equals("unknown") ? Optional.empty() : Optional.of(ReadLevel.valueOf(page))));
  }

  Evidence evidence() {
    Optional<StaleBounds> bounds =
        words.containsKey("bounds") ? Optional.of(bounds()) : Optional.empty();
    int replicas = bounds.map(StaleBounds::replicas).orElse(3);
    OptionalLong usual = number(words, "usually");
    return new Evidence(
        new ReplicaHealth(
            words.containsKey("replicas") ? Integer.parseInt(word("replicas")) : replicas,
            words.containsKey("down"),
            words.containsKey("pending"),
            words.containsKey("suspect"),
            words.containsKey("catching_up")),
        bounds,
        number(words, "age").orElse(0),
        words.containsKey("frozen"),
        words.containsKey("refused") ? Set.of(ReadLevel.valueOf(word("refused"))) : Set.of(),
        level -> usual);
  }

  private StaleBounds bounds() {
    List<StaleBounds.Bound> byReads =
        Arrays.stream(word("bounds").split(" "))
            .map(high -> new StaleBounds.Bound(0, 0, Double.parseDouble(high)))
            .toList();
    return new StaleBounds(number(words, "samples").orElse(10_000), DELTA, byReads);
  }

  private String word(String name) {
    return words.getOrDefault(name, "").trim();
  }

  private Map<String, String> options(String name) {
    Map<String, String> options = new HashMap<>();
    for (String part : word(name).split(" ")) {
      if (part.contains("=")) {
        String[] pair = part.split("=");
        options.put(pair[0].toLowerCase(Locale.ROOT), pair[1]);
      }
    }
    return options;
  }

  private static OptionalLong number(Map<String, String> from, String name) {
    String text = from.get(name);
    return text == null ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(text.trim()));
  }
}
