package io.counterpart.cli.cache;

import io.counterpart.cli.console.ExitCodes;
import io.counterpart.cli.console.Output;
import io.counterpart.memcached.tier.Tier;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code counterpart cache status}. */
@Command(
    name = "status",
    mixinStandardHelpOptions = true,
    description =
        "Shows the proxy and its memcached servers: processes, items, memory, reads, share of hits;"
            + " of a tier with a code also rings, objects, degraded reads, repair and changes of"
            + " servers.",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:the proxy and every server answer",
      "1:at least one does not, or no proxy owns the tier",
      "3:there is no memory tier under this directory"
    })
final class CacheStatusCommand implements Callable<Integer> {

  @Mixin private TierHome home;
  @Mixin private Output output;

  @Override
  public Integer call() {
    Tier tier = Tier.recorded(home.path()).orElseThrow(home::noTier);
    TierView view = TierView.of(home, tier);
    output.result(view.json(), view.text());
    return view.allUp() ? ExitCodes.OK : ExitCodes.FAILURE;
  }
}
