package io.counterpart.cli.cache;

import io.counterpart.cache.service.CacheService;
import io.counterpart.cache.service.ServiceOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code counterpart cache proxy}. */
@Command(
    name = "proxy",
    mixinStandardHelpOptions = true,
    description = {
      "Runs the proxy alone, in the foreground, before memcached servers that run already.",
      "SIGTERM or Ctrl-C ends it. This is what cache up starts, and what a service manager can start."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "1:it could not start, as for a port in use",
      "2:a bad option",
      "3:a file is missing or malformed",
      "130, 143:ended by Ctrl-C, by SIGTERM"
    })
final class CacheProxyCommand implements Callable<Integer> {

  private static final String LOG_LEVEL = "org.slf4j.simpleLogger.defaultLogLevel";

  @Spec private CommandSpec command;
  @Mixin private ProxyOptions proxy;

  @Override
  public Integer call() throws IOException, InterruptedException {
    CacheService service = CacheService.start(options());
    Runtime.getRuntime().addShutdownHook(new Thread(service::close, "stop-proxy"));
    say();
    new CountDownLatch(1).await();
    throw new IllegalStateException("nothing ends the wait");
  }

  /** Before anything logs: the level is looked at once. */
  private static void writeLog() {
    if (System.getProperty(LOG_LEVEL) == null) {
      System.setProperty(LOG_LEVEL, "info");
    }
  }

  private void say() {
    String metrics = proxy.metricsUrl();
    PrintWriter err = command.commandLine().getErr();
    err.printf(
        "scheme %s on %d servers: memcached clients at %s%s%n",
        proxy.scheme(),
        proxy.servers().size(),
        proxy.reachable(),
        metrics == null ? "" : ", metrics at " + metrics);
    err.flush();
  }

  private ServiceOptions options() {
    try {
      proxy.check(0);
      if (proxy.servers().isEmpty()) {
        throw new IllegalArgumentException("--server is missing: at least one HOST[:PORT]");
      }
      writeLog();
      return proxy.service(proxy.servers());
    } catch (IllegalArgumentException e) {
      throw new ParameterException(command.commandLine(), e.getMessage(), e);
    }
  }
}
