package io.counterpart.testkit.random;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

class SeededRandomFailureTest {

  @Test
  void a_failure_names_the_seed_that_repeats_it() {
    SummaryGeneratingListener summary = new SummaryGeneratingListener();

    LauncherFactory.create()
        .execute(
            LauncherDiscoveryRequestBuilder.request()
                .selectors(DiscoverySelectors.selectClass(AlwaysFailing.class))
                .build(),
            summary);

    assertThat(summary.getSummary().getFailures())
        .singleElement()
        .satisfies(
            failure -> {
              String message = failure.getException().getMessage();
              String seed = message.replaceAll("(?s)^seed (-?\\d+) .*", "$1");
              String drawn = message.replaceAll("(?s).*drew (-?\\d+).*", "$1");
              assertThat(new Random(Long.parseLong(seed)).nextLong())
                  .isEqualTo(Long.parseLong(drawn));
            });
  }
}
