package io.counterpart.cli.cache;

import io.counterpart.cache.backend.ServerAddress;
import io.counterpart.cache.control.ServerChange;
import io.counterpart.cli.console.Output;
import io.counterpart.memcached.tier.TierLock;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code counterpart cache remove-server}. */
@Command(
    name = "remove-server",
    mixinStandardHelpOptions = true,
    description = {
      "Removes memcached servers from a tier with a code, several at once, after their objects have"
          + " moved to others, in waves that keep every object readable. Those that cache up or"
          + " add-server has started are stopped then. Of several shards, all must be of one.",
      "Ctrl-C ends the command, not the change. A proxy that ends meanwhile goes on when cache up"
          + " starts it again; that also stops servers that are no longer needed."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:the servers are not used any more",
      "1:the change was cancelled, or the proxy ended meanwhile",
      "2:a server is unknown or of another shard, or a ring would be left without one; nothing was"
          + " changed",
      "3:no tier runs, or its servers cannot change now; nothing was changed",
      "130:stopped by Ctrl-C; a change that had begun goes on"
    })
final class CacheRemoveServerCommand implements Callable<Integer> {

  @Spec private CommandSpec command;
  @Mixin private TierHome home;

  @Parameters(
      arity = "1..*",
      paramLabel = "HOST:PORT",
      description = "The server as cache status shows it; PORT alone is one on 127.0.0.1.")
  private List<String> servers = List.of();

  @Mixin private Output output;

  @Override
  public Integer call() throws IOException {
    TierLock lock = home.lockExisting();
    try (RunningTier running = RunningTier.require(home)) {
      ServerChange change =
          new ServerChange(
              ServerChange.Kind.REMOVE,
              servers.stream().map(CacheRemoveServerCommand::address).toList());
      running.requireChangeable();
      return new ServerChangeRun(running, lock, output).run(change);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(command.commandLine(), e.getMessage(), e);
    } finally {
      lock.close();
    }
  }

  private static ServerAddress address(String text) {
    return ServerAddress.parse(text.matches("\\d+") ? "127.0.0.1:" + text : text);
  }
}
