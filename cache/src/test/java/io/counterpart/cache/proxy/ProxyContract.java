package io.counterpart.cache.proxy;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.cache.protocol.GrammarTest;
import io.counterpart.cache.protocol.MemcachedProcess;
import io.counterpart.cache.protocol.PipelineGenerator;
import io.counterpart.cache.protocol.ToyConnection;
import io.counterpart.cache.protocol.ToyStore;
import io.counterpart.cache.protocol.WireText;
import io.counterpart.cache.tier.ObjectTier;
import io.counterpart.testkit.cases.TextCase;
import io.counterpart.testkit.cases.TextCases;
import io.counterpart.testkit.random.SeededRandom;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The contract of every scheme: the same bytes, sent to a real memcached and through the proxy to
 * another one, get the same answers. Not compared are times, slab classes, whether an item was read
 * before, and the form of keys.
 */
abstract class ProxyContract {
  /**
   * A first command that is answered at once; then memcached answers each request before it reads
   * the next.
   */
  private static final String FIRST = "mn\r\n";

  private final EventLoopGroup loops = new NioEventLoopGroup(1);
  private MemcachedProcess oracle;
  private MemcachedProcess behind;
  private ProxyServer proxy;

  @BeforeEach
  final void begin() throws Exception {
    oracle = MemcachedProcess.start();
    behind = MemcachedProcess.start();
    ObjectTier tier = start(behind, loops.next());
    proxy =
        ProxyServer.listen(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), loops.next(), tier);
  }

  /** Opens the scheme's tier on a running server, and perhaps others. */
  abstract ObjectTier start(MemcachedProcess server, EventLoop loop) throws Exception;

  /** Closes the resources of {@link #start(MemcachedProcess, EventLoop)}. */
  void end() {}

  @AfterEach
  void stop() {
    end();
    if (proxy != null) {
      proxy.close();
    }
    loops.shutdownGracefully(0, 5, TimeUnit.SECONDS).syncUninterruptibly();
    for (MemcachedProcess process : new MemcachedProcess[] {oracle, behind}) {
      if (process != null) {
        process.close();
      }
    }
  }

  @Test
  void answers_of_the_grammar_are_memcacheds() {
    for (TextCase textCase : TextCases.read(GrammarTest.class, "grammar.txt")) {
      if (!isComparable(WireText.bytes(textCase.given()))
          || !isComparable(WireText.bytes(textCase.when()))) {
        continue;
      }
      compare(WireText.bytes(List.of("flush_all")), "before " + textCase.name());
      compare(WireText.bytes(textCase.given()), textCase.name());
      compare(WireText.bytes(textCase.when()), textCase.name());
    }
  }

  @Test
  @ExtendWith(SeededRandom.class)
  void answers_to_random_pipelines_are_memcacheds(Random random) {
    PipelineGenerator generator = new PipelineGenerator(random);
    for (int i = 0; i < 600; i++) {
      byte[] pipeline = generator.pipeline(1 + random.nextInt(8));
      // keys in base64 come back in the form that each item has been given
      if (!new String(pipeline, ISO_8859_1).contains(" az") && isComparable(pipeline)) {
        compare(pipeline, "pipeline " + i);
      }
    }
  }

  private void compare(byte[] requests, String name) {
    byte[] input = (FIRST + new String(requests, ISO_8859_1)).getBytes(ISO_8859_1);
    List<String> theirs = comparable(oracle.answers(input));
    List<String> ours = comparable(MemcachedProcess.answers(proxy.address().getPort(), input));

    // memcached forgets answers that it has not sent when it closes or the client does
    ToyConnection toy = new ToyConnection(new ToyStore(() -> 0));
    toy.receive(input);
    boolean mayForget = toy.isAborted() || toy.isMidway();
    int compared = mayForget ? Math.min(theirs.size(), ours.size()) : ours.size();
    List<String> told = ours.subList(0, compared);
    int same = 0;
    while (same < Math.min(told.size(), theirs.size()) && told.get(same).equals(theirs.get(same))) {
      same++;
    }
    assertThat(told.subList(same, told.size()))
        .as("%s after %d lines: %s", name, same, WireText.lines(input))
        .isEqualTo(theirs.subList(same, theirs.size()));
  }

  /** Whether the scheme answers these requests as memcached does. */
  boolean isComparable(byte[] requests) {
    return true;
  }

  /** Answers without the parts that the scheme may answer differently. */
  String comparable(String answers) {
    return answers;
  }

  private List<String> comparable(byte[] answers) {
    String text =
        comparable(new String(answers, ISO_8859_1))
            .replaceAll(" t-?\\d+", " t#")
            .replaceAll(" l\\d+", " l#")
            .replaceAll(" h[01]", " h#")
            .replaceAll(" k\\S+( b)?", " k#")
            .replaceAll("ME \\S+( b)?", "ME #")
            .replaceAll(" exp=-?\\d+ la=\\d+ ", " exp=# la=# ")
            .replaceAll(" fetch=\\S+ cls=\\d+ ", " fetch=# cls=# ")
            .replaceAll("VERSION \\S+", "VERSION #");
    return WireText.lines(text.getBytes(ISO_8859_1)).stream()
        .filter(line -> !line.startsWith("STAT "))
        // of a key that ends in a space
        .map(String::stripTrailing)
        .toList();
  }
}
