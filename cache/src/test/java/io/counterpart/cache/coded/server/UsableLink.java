package io.counterpart.cache.coded.server;

import io.counterpart.cache.backend.GuardedLoop;
import io.counterpart.cache.backend.ServerLostException;
import io.counterpart.cache.coded.settings.PatientSettings;
import io.counterpart.cache.protocol.MemcachedProcess;
import io.counterpart.cache.ring.ServerId;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A link to a real server without a tier, used as soon as it is connected. */
public final class UsableLink {
  private UsableLink() {}

  /** Connects; returns when the server is used. */
  public static ServerLink to(MemcachedProcess memcached, GuardedLoop loop, Path directory)
      throws Exception {
    CompletableFuture<ServerLink> usable = new CompletableFuture<>();
    ServerId id = new ServerId("127.0.0.1:" + memcached.port());
    loop.execute(
        () -> new ServerLink(id, loop, PatientSettings.of(directory), false, new Watcher(usable)));
    return usable.get(40, TimeUnit.SECONDS);
  }

  private record Watcher(CompletableFuture<ServerLink> usable) implements ServerLink.Watcher {
    @Override
    public void connected(ServerLink link) {
      link.use();
      link.renew(System.nanoTime());
      usable.complete(link);
    }

    @Override
    public void lost(ServerLink link, ServerLostException why) {}

    @Override
    public boolean mayMiss(ServerLink link) {
      return true;
    }

    @Override
    public void becameStale(ServerLink link) {}

    @Override
    public void whenStaleIsDurable(Runnable then) {
      then.run();
    }

    @Override
    public Duration leaseLength() {
      return Duration.ofHours(1);
    }

    @Override
    public boolean isTierOwned() {
      return true;
    }
  }
}
