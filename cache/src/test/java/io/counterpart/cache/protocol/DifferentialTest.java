package io.counterpart.cache.protocol;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.fail;

import io.counterpart.testkit.cases.TextCase;
import io.counterpart.testkit.cases.TextCases;
import io.counterpart.testkit.random.SeededRandom;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The same bytes sent to a real memcached and to the toy store behind our codec. The answers must
 * be equal byte by byte, CAS values included; times and slab classes are left out.
 */
class DifferentialTest {

  /**
   * A first command that is answered at once; then memcached answers each request before it reads
   * the next.
   */
  private static final byte[] FIRST = "mn\r\n".getBytes(ISO_8859_1);

  private MemcachedProcess memcached;
  private ToyStore store;

  @BeforeEach
  void start() throws IOException {
    memcached = MemcachedProcess.start();
    store = new ToyStore(() -> System.currentTimeMillis() / 1000);
  }

  @AfterEach
  void stop() {
    if (memcached != null) {
      memcached.close();
    }
  }

  @Test
  void answers_of_the_grammar_are_memcacheds() {
    Random random = new Random(1);
    for (TextCase textCase : TextCases.read(GrammarTest.class, "grammar.txt")) {
      compare(WireText.bytes(List.of("flush_all")), random, "before " + textCase.name());
      compare(WireText.bytes(textCase.given()), random, textCase.name());
      compare(WireText.bytes(textCase.when()), random, textCase.name());
    }
  }

  @Test
  @ExtendWith(SeededRandom.class)
  void answers_to_random_pipelines_are_memcacheds(Random random) {
    PipelineGenerator generator = new PipelineGenerator(random);
    for (int i = 0; i < 150; i++) {
      compare(generator.pipeline(1 + random.nextInt(60)), random, "pipeline " + i);
    }
  }

  @Test
  @ExtendWith(SeededRandom.class)
  void answers_to_damaged_pipelines_are_memcacheds(Random random) {
    PipelineGenerator generator = new PipelineGenerator(random);
    for (int i = 0; i < 300; i++) {
      byte[] damaged = generator.damaged(generator.pipeline(1 + random.nextInt(12)));
      compare(damaged, random, "damaged pipeline " + i);
    }
  }

  private void compare(byte[] input, Random random, String name) {
    ToyConnection toy = new ToyConnection(store);
    byte[] bytes = concatenated(FIRST, input);
    Splits.feed(toy, bytes, random);
    List<String> ours = comparable(toy.takeAnswers());
    List<String> theirs = comparable(memcached.answers(bytes));

    // memcached forgets answers that it has not sent when it closes or the client does
    boolean mayForget = toy.isAborted() || toy.isMidway();
    int compared = mayForget ? Math.min(theirs.size(), ours.size()) : ours.size();
    if (!theirs.equals(ours.subList(0, compared))) {
      fail(difference(ours, theirs) + "\n" + name + " was:\n" + sent(bytes));
    }
  }

  private static String difference(List<String> ours, List<String> theirs) {
    int same = 0;
    while (same < Math.min(ours.size(), theirs.size()) && ours.get(same).equals(theirs.get(same))) {
      same++;
    }
    return "line "
        + same
        + ": ours "
        + ours.subList(same, Math.min(ours.size(), same + 3))
        + ", memcached's "
        + theirs.subList(same, Math.min(theirs.size(), same + 3))
        + " after "
        + ours.subList(Math.max(0, same - 3), same);
  }

  private static String sent(byte[] bytes) {
    String text = String.join("\n", WireText.lines(bytes));
    return text.substring(0, Math.min(text.length(), 5000));
  }

  private static byte[] concatenated(byte[] first, byte[] second) {
    byte[] both = new byte[first.length + second.length];
    System.arraycopy(first, 0, both, 0, first.length);
    System.arraycopy(second, 0, both, first.length, second.length);
    return both;
  }

  private static List<String> comparable(byte[] answers) {
    String text =
        new String(answers, ISO_8859_1)
            .replaceAll(" t\\d+", " t#")
            .replaceAll(" l\\d+", " l#")
            .replaceAll(" exp=-?\\d+ la=\\d+ ", " exp=# la=# ")
            .replaceAll(" cls=\\d+ ", " cls=# ");
    return WireText.lines(text.getBytes(ISO_8859_1));
  }
}
