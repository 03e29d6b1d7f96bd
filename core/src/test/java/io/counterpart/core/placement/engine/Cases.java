package io.counterpart.core.placement.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.core.ring.change.RingNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Quotas, nodes and rings for tests. A node's name is {@code server-class}. */
final class Cases {
  private Cases() {}

  /** Legal quotas of 1 to {@code most} copies. */
  static EngineQuotas quotas(int most, Random random) {
    int n = 1 + random.nextInt(most);
    int w = 1 + random.nextInt(n);
    int r = n + 1 - w + random.nextInt(w);
    return EngineQuotas.of(n, w, r);
  }

  static EngineNode node(String name) {
    int dash = name.lastIndexOf('-');
    return new EngineNode(
        name, name.substring(0, dash), EngineClass.named(name.substring(dash + 1)).orElseThrow());
  }

  static String server(RingNode node) {
    return node(node.name()).server();
  }

  /** Nodes of each class on every server, with random tokens and racks {@code server/class}. */
  static List<RingNode> nodes(int servers, int tokens, Random random) {
    List<RingNode> nodes = new ArrayList<>();
    for (int server = 0; server < servers; server++) {
      nodes.addAll(server("s" + server, tokens, random));
    }
    return nodes;
  }

  static List<RingNode> server(String server, int tokens, Random random) {
    List<RingNode> nodes = new ArrayList<>();
    for (EngineClass engine : EngineClass.values()) {
      List<Long> own = random.longs(tokens).boxed().toList();
      nodes.add(new RingNode(server + "-" + engine, "dc1", server + "/" + engine, own));
    }
    return nodes;
  }

  static void assertQuotas(List<EngineNode> replicas, EngineQuotas quotas) {
    assertThat(replicas).doesNotHaveDuplicates().hasSize(quotas.copies());
    for (EngineClass engine : EngineClass.values()) {
      assertThat(replicas.stream().filter(node -> node.engine() == engine).count())
          .as("%s of %s in %s", engine, quotas, replicas)
          .isEqualTo(quotas.of(engine));
    }
  }
}
