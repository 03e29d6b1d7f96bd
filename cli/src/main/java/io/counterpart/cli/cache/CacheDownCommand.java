package io.counterpart.cli.cache;

import io.counterpart.cli.console.ExitCodes;
import io.counterpart.cli.console.Output;
import io.counterpart.memcached.tier.Tier;
import io.counterpart.memcached.tier.TierLock;
import java.nio.file.Files;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code counterpart cache down}. */
@Command(
    name = "down",
    mixinStandardHelpOptions = true,
    description =
        "Stops the proxy and the memcached servers that cache up started; their objects are gone,"
            + " and the metadata too. Servers that somebody else runs stay as they are; then the"
            + " metadata stay too, and the next cache up with these servers finds the objects.",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:nothing runs any more",
      "1:a process could not be stopped",
      "3:another cache command works on this tier"
    })
final class CacheDownCommand implements Callable<Integer> {

  @Mixin private TierHome home;
  @Mixin private Output output;

  @Override
  public Integer call() {
    int stopped = Files.isDirectory(home.path()) ? stop() : 0;
    output.result(
        Map.of("stopped", stopped),
        stopped == 0
            ? "nothing runs under " + home.path()
            : "stopped " + stopped + (stopped == 1 ? " process" : " processes"));
    return ExitCodes.OK;
  }

  private int stop() {
    TierLock lock = home.lock();
    try {
      return Tier.recorded(home.path()).map(tier -> RecordedServers.stop(tier, home)).orElse(0);
    } finally {
      lock.close();
    }
  }
}
