package io.counterpart.integration;

import org.junit.jupiter.api.Test;

/** Formats by role in sstables of the format {@code bti}. */
@OnCluster(Shape.ONE_TOKEN)
class TrieFormatsIT {
  private final Seed seed = Seed.of(TrieFormatsIT.class);

  @Test
  void copies_have_the_format_of_their_role(TestCluster cluster) throws Exception {
    new RoleFormats(cluster, "trie_formats", "bti", seed).check();
  }
}
