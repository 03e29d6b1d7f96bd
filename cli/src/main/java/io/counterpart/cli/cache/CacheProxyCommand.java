package io.counterpart.cli.cache;

import io.counterpart.cache.backend.FatalErrors;
import io.counterpart.cache.proxy.MemoryLimits;
import io.counterpart.cache.service.CacheService;
import io.counterpart.cache.service.ServiceOptions;
import io.counterpart.cli.cache.options.PeersOption;
import io.counterpart.cli.cache.options.ProxyOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code counterpart cache proxy}. */
@Command(
    name = "proxy",
    mixinStandardHelpOptions = true,
    description = {
      "Runs the proxy alone, in the foreground, before memcached servers that run already.",
      "SIGTERM or Ctrl-C ends it. This is what cache up starts, and what a service manager can"
          + " start."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "1:it could not start, as for a port in use, or its metadata cannot be written any more",
      "2:a bad option",
      "3:a file is missing or malformed",
      "4:an error of the JVM, such as no memory left",
      "130, 143:ended by Ctrl-C, by SIGTERM"
    })
final class CacheProxyCommand implements Callable<Integer> {

  private static final String LOG_LEVEL = "org.slf4j.simpleLogger.defaultLogLevel";

  @Spec private CommandSpec command;
  @Mixin private ProxyOptions proxy;
  @Mixin private PeersOption peers;

  @Option(
      names = "--metadata",
      paramLabel = "DIR",
      description =
          "Directory of what echash must know of its objects, made if it is missing; one for each"
              + " tier. A tier that exists knows its servers from it. Proxies of one machine that"
              + " have the same directory serve one tier: one of them owns it, the others forward"
              + " to it, and take over when it ends.")
  private @Nullable Path metadata;

  @Option(
      names = "--control",
      paramLabel = "FILE",
      description =
          "Unix-domain socket for cache status, add-server, remove-server and cancel-change; a path"
              + " of at most 100 bytes.")
  private @Nullable Path control;

  @Option(
      names = "--store-log",
      paramLabel = "DIR",
      description =
          "Directory of changes that the persistent store has not got yet, made if it is missing;"
              + " for --store-write=behind.")
  private @Nullable Path storeLog;

  @Override
  public Integer call() throws IOException, InterruptedException {
    Thread.setDefaultUncaughtExceptionHandler(FatalErrors.endingProcess());
    CacheService service = CacheService.start(options());
    Runtime.getRuntime().addShutdownHook(new Thread(service::close, "stop-proxy"));
    say();
    try {
      service.ended().get();
    } catch (ExecutionException e) {
      throw new IOException("the proxy ends: " + e.getCause(), e);
    }
    // the exit hook closes it, and ends this JVM with its own exit code
    new CountDownLatch(1).await();
    throw new IllegalStateException("nothing ends the wait");
  }

  /** Sets the log level, before anything logs: the level is read only once. */
  private static void writeLog() {
    if (System.getProperty(LOG_LEVEL) == null) {
      System.setProperty(LOG_LEVEL, "info");
    }
  }

  private void say() {
    String metrics = proxy.metricsUrl(0);
    PrintWriter err = command.commandLine().getErr();
    err.printf(
        "scheme %s on %d servers: memcached clients at %s%s%n",
        proxy.keeping(metadata),
        proxy.servers().size(),
        proxy.reachable(0),
        metrics == null ? "" : ", metrics at " + metrics);
    err.flush();
  }

  private ServiceOptions options() {
    try {
      proxy.check(1, 0);
      if (proxy.servers().isEmpty()) {
        throw new IllegalArgumentException("--server is missing: at least one HOST[:PORT]");
      }
      if (proxy.scheme().isCoded() == (metadata == null)) {
        throw new IllegalArgumentException(
            "--metadata is %s, but scheme %s %s metadata"
                .formatted(
                    metadata == null ? "missing" : "'" + metadata + "'",
                    proxy.scheme(),
                    metadata == null ? "keeps" : "has no"));
      }
      Path log = absolute(storeLog);
      if (proxy.store().isBehind() && log == null) {
        throw new IllegalArgumentException("--store-log is missing: --store-write=behind needs it");
      }
      peers.check(proxy);
      writeLog();
      ServiceOptions alone =
          proxy.service(
              proxy.servers(),
              absolute(metadata),
              absolute(control),
              log == null ? Path.of("") : log,
              MemoryLimits.jvmBytes());
      return peers.isGiven()
          ? alone.with(peers.options(alone.access(), proxy.tls(), proxy.credentials()))
          : alone;
    } catch (IllegalArgumentException e) {
      throw new ParameterException(command.commandLine(), e.getMessage(), e);
    }
  }

  private static @Nullable Path absolute(@Nullable Path path) {
    return path == null ? null : path.toAbsolutePath().normalize();
  }
}
