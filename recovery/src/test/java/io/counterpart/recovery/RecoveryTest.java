package io.counterpart.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class RecoveryTest {

  @Test
  void a_users_keyspace_may_have_a_name_that_begins_as_cassandras_own_do() {
    List<String> keyspaces =
        List.of("app", "system_auth", "system_distributed", "system_metrics", "system_traces");

    assertThat(Recovery.ofUsers(keyspaces)).containsExactly("app", "system_metrics");
  }
}
