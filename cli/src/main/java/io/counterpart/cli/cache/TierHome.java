package io.counterpart.cli.cache;

import io.counterpart.cli.console.PreconditionException;
import io.counterpart.cluster.Installation;
import io.counterpart.memcached.tier.Tier;
import io.counterpart.memcached.tier.TierLock;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option that selects a memory tier of this machine; mixed into commands. */
final class TierHome {

  @Option(
      names = "--home",
      paramLabel = "DIR",
      description =
          "Directory of the tier's state and logs (default: .counterpart/cache in the checkout).")
  private @Nullable Path home;

  Path path() {
    return home != null
        ? home.toAbsolutePath().normalize()
        : Installation.locate().defaultTierHome();
  }

  /** Directory of a coded tier's metadata. */
  Path metadata() {
    return Tier.metadata(path());
  }

  /** Directory of changes that are not in the persistent store yet. */
  Path behindLog() {
    return path().resolve("cache-behind");
  }

  /** The socket on which a proxy takes commands; proxies are numbered from 0. */
  Path control(int proxy) {
    return path().resolve(proxy == 0 ? "cache.control" : "cache-%d.control".formatted(proxy + 1));
  }

  /**
   * Excludes other commands from changing the tier.
   *
   * @throws PreconditionException if another command changes it now
   */
  TierLock lock() {
    return TierLock.take(path())
        .orElseThrow(
            () ->
                new PreconditionException(
                    "another counterpart cache command works on " + path() + "; wait for its end"));
  }

  /**
   * As {@link #lock}, for commands that need an existing tier; creates no directory.
   *
   * @throws PreconditionException if there is none, or another command changes it now
   */
  TierLock lockExisting() {
    if (!Files.isDirectory(path())) {
      throw noTier();
    }
    return lock();
  }

  /** The error of a command that needs a tier. */
  PreconditionException noTier() {
    return new PreconditionException(
        "no memory tier under " + path() + "; start one with: counterpart cache up");
  }
}
