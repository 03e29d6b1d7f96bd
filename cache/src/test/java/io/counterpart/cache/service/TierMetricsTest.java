package io.counterpart.cache.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.cache.control.ServerChange;
import io.counterpart.cache.control.TierReport;
import io.counterpart.cache.forward.ForwardStatistics;
import io.counterpart.cache.tier.ObjectTier;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The metrics of a tier that cannot tell its state. */
class TierMetricsTest {
  /** An owner whose event loop is busy for long. */
  private static final class Busy implements OpenTier {
    @Override
    public List<ObjectTier> objects() {
      return List.of();
    }

    @Override
    public String role() {
      return OWNER;
    }

    @Override
    public Optional<TierReport> ownReport() throws IOException {
      throw new IOException("the proxy is busy for more than 5 s");
    }

    @Override
    public ForwardStatistics forwarded() {
      return new ForwardStatistics();
    }

    @Override
    public void onAbandoned(Runnable listener) {}

    @Override
    public CompletableFuture<Void> ended() {
      return new CompletableFuture<>();
    }

    @Override
    public TierReport report() throws IOException {
      return ownReport().orElseThrow();
    }

    @Override
    public CompletableFuture<Void> change(ServerChange change) {
      return new CompletableFuture<>();
    }

    @Override
    public CompletableFuture<Void> cancelChange() {
      return new CompletableFuture<>();
    }

    @Override
    public void close() {}
  }

  @Test
  void an_owner_that_is_busy_is_not_taken_for_none() {
    MetricValues values = new MetricValues();
    TierMetrics.add(new Busy(), values);

    assertThat(values.all().stream())
        .extracting(metric -> metric.getMetadata().getName())
        .containsExactlyInAnyOrder("counterpart_cache_owner", "counterpart_cache_forwarded");
  }
}
