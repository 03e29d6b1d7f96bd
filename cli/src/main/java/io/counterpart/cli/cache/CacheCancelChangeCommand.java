package io.counterpart.cli.cache;

import io.counterpart.cli.console.Output;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code counterpart cache cancel-change}. */
@Command(
    name = "cancel-change",
    mixinStandardHelpOptions = true,
    description = {
      "Ends what add-server or remove-server has begun before its next wave, as when a server that"
          + " is waited for never comes. Objects that have moved stay where they are; servers that"
          + " are in no ring then are not used, and are stopped if cache up or add-server has"
          + " started them.",
      "A wave that is under way is not taken back: the command waits for its end."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:no change is under way any more",
      "1:the proxy ended meanwhile",
      "3:no tier runs, or no change of its servers is under way",
      "130:stopped by Ctrl-C; the change ends all the same"
    })
final class CacheCancelChangeCommand implements Callable<Integer> {

  @Mixin private TierHome home;
  @Mixin private Output output;

  @Override
  public Integer call() throws IOException {
    try (RunningTier running = RunningTier.require(home)) {
      return new ServerChangeRun(running, output).cancel();
    }
  }
}
