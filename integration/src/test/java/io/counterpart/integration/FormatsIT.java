package io.counterpart.integration;

import org.junit.jupiter.api.Test;

/** Formats by role in sstables of the format {@code big}. */
@OnCluster(Shape.THREE_NODES)
class FormatsIT {
  private final Seed seed = Seed.of(FormatsIT.class);

  @Test
  void copies_have_the_format_of_their_role(TestCluster cluster) throws Exception {
    new RoleFormats(cluster, "formats", "big", seed).check();
  }
}
