package io.counterpart.lab.tier.database;

import io.counterpart.lab.setup.Progress;
import io.counterpart.lab.tier.client.TierData;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The database of a run, started by the first stage that needs one. Not thread-safe. */
public final class LazyDatabase implements AutoCloseable {
  private final Path home;
  private final Progress progress;
  private @Nullable TierDatabase started;
  private @Nullable TierData loaded;

  /**
   * A database that is not there yet.
   *
   * @param home directory for everything that it writes
   */
  public LazyDatabase(Path home, Progress progress) {
    this.home = home;
    this.progress = progress;
  }

  /**
   * The database with these objects.
   *
   * @throws IOException if it does not start
   * @throws IllegalStateException if it has fewer or other objects: all stages of a run have the
   *     same
   */
  public TierDatabase of(TierData data) throws IOException {
    if (started == null) {
      started = TierDatabase.start(home, data, progress);
      loaded = data;
    }
    TierData has = loaded;
    if (has == null || has.objects() != data.objects() || has.valueBytes() != data.valueBytes()) {
      throw new IllegalStateException(
          "the database has other objects than %d of %d bytes"
              .formatted(data.objects(), data.valueBytes()));
    }
    return started;
  }

  @Override
  public void close() {
    if (started != null) {
      started.close();
      started = null;
    }
  }
}
