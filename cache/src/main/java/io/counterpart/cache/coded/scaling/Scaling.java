package io.counterpart.cache.coded.scaling;

import io.counterpart.cache.backend.GuardedLoop;
import io.counterpart.cache.coded.parity.Folding;
import io.counterpart.cache.coded.parity.JournalCatchUp;
import io.counterpart.cache.coded.server.ServerLink;
import io.counterpart.cache.coded.server.ServerTable;
import io.counterpart.cache.coded.settings.ServerMap;
import io.counterpart.cache.coded.shard.Shard;
import io.counterpart.cache.ring.ServerId;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Adds and removes servers, in waves that leave every object readable. The wave under way survives
 * a restart and goes on; waves that have not begun are forgotten. Belongs to the shard's event
 * loop. Paper: ECHash §4.3.
 */
public final class Scaling {
  private static final Logger logger = LoggerFactory.getLogger(Scaling.class);
  private static final long AGAIN_MILLIS = 100;

  private final Shard shard;
  private final ServerTable servers;
  private final Folding folding;
  private final JournalCatchUp catchUp;
  private final GuardedLoop loop;
  private final Function<Boolean, Migration.Step> steps;
  private final WaitMessages messages = new WaitMessages();
  private boolean isBusy;
  private boolean stops;
  private int wavesLeft;
  private @Nullable Migration migration;
  private @Nullable Awaited awaited;

  /** Of those that are added: their marks say that they lack nothing. */
  private final Set<ServerId> whole = new TreeSet<>();

  /** Servers that must be usable before the next step. */
  private record Awaited(List<ServerId> servers, Runnable next, Consumer<String> refused) {}

  /**
   * @param steps creates the scheme's work on stripes for one wave; gets whether the wave began
   *     before a restart
   */
  public Scaling(
      Shard shard,
      ServerTable servers,
      Folding folding,
      JournalCatchUp catchUp,
      GuardedLoop loop,
      Function<Boolean, Migration.Step> steps) {
    this.shard = shard;
    this.servers = servers;
    this.folding = folding;
    this.catchUp = catchUp;
    this.loop = loop;
    this.steps = steps;
  }

  /**
   * Adds servers; with several rings, each to the smallest ring.
   *
   * @return fails with an {@link IllegalArgumentException} if one is there already, with an {@link
   *     IllegalStateException} if another change is under way
   */
  public CompletableFuture<Void> add(List<ServerId> added) {
    return begin(
        result -> {
          Deque<ServerMap> waves = new ArrayDeque<>(map().adding(added, ringsDown()));
          wavesLeft = waves.size();
          whole.clear();
          servers.connect(added, new TreeSet<>(added));
          awaited =
              new Awaited(
                  added,
                  () -> runWaves(waves, () -> end(added, result)),
                  why -> refuse(added, why, result));
          goOnIfUsable();
        });
  }

  /** Removes servers; fails as {@link #add} does, and if too few would remain. */
  public CompletableFuture<Void> remove(List<ServerId> removed) {
    return begin(
        result -> {
          Deque<ServerMap> waves = new ArrayDeque<>(map().removing(removed, ringsDown()));
          runWaves(waves, () -> end(removed, result));
        });
  }

  /**
   * Ends the change under way before its next wave, as if it were done; servers that are in no ring
   * then are not used. Does nothing without a change.
   */
  public void stop() {
    stops = isBusy;
    goOnIfUsable();
  }

  /** Resumes a wave that a restart interrupted; the present servers are those after the wave. */
  public void resume(ServerMap before) {
    isBusy = true;
    Set<ServerId> gone = new TreeSet<>(before.servers());
    gone.removeAll(map().servers());
    migrate(
        true,
        () -> {
          gone.forEach(servers::disconnect);
          isBusy = false;
        });
  }

  private ServerMap map() {
    return shard.placement().map();
  }

  private int ringsDown() {
    return shard.placement().ringsDown();
  }

  /** Whether servers are being added or removed. */
  public boolean isBusy() {
    return isBusy;
  }

  private CompletableFuture<Void> begin(Consumer<CompletableFuture<Void>> body) {
    CompletableFuture<Void> result = new CompletableFuture<>();
    if (isBusy) {
      result.completeExceptionally(
          new IllegalStateException("servers are being added or removed already"));
      return result;
    }
    try {
      isBusy = true;
      stops = false;
      body.accept(result);
    } catch (IllegalArgumentException e) {
      isBusy = false;
      result.completeExceptionally(e);
    } catch (RuntimeException fault) {
      result.completeExceptionally(fault);
      loop.faulted(fault);
    }
    return result;
  }

  private void end(List<ServerId> changed, CompletableFuture<Void> result) {
    changed.stream().filter(server -> !map().contains(server)).forEach(servers::disconnect);
    isBusy = false;
    result.complete(null);
  }

  private void refuse(List<ServerId> added, String why, CompletableFuture<Void> result) {
    added.forEach(servers::disconnect);
    isBusy = false;
    result.completeExceptionally(new IllegalStateException(why));
  }

  /** The mark of a server says that it is whole. Continues if all that are awaited are so. */
  public void whole(ServerId server) {
    whole.add(server);
    goOnIfUsable();
  }

  /** A server is without a mark that says it is whole. */
  public void emptied(ServerId server) {
    whole.remove(server);
  }

  /**
   * Refuses the addition of a server that belongs to another owner, and of all servers added with
   * it.
   */
  public void refused(ServerId server, String why) {
    Awaited waiting = awaited;
    if (waiting != null && waiting.servers().contains(server)) {
      awaited = null;
      waiting.refused().accept(why);
    }
  }

  private void goOnIfUsable() {
    Awaited waiting = awaited;
    if (waiting != null && (stops || waiting.servers().stream().allMatch(this::isUsable))) {
      awaited = null;
      waiting.next().run();
    }
  }

  /** A restart would take a server without that mark for one that has lost its items. */
  private boolean isUsable(ServerId server) {
    ServerLink link = servers.link(server);
    return link != null && link.isUsable() && whole.contains(server);
  }

  private void runWaves(Deque<ServerMap> waves, Runnable next) {
    if (!stops && !waves.isEmpty() && shard.placement().ringsAway() > shard.code().parityCount()) {
      // its items could neither be read nor decoded
      messages
          .next("the next wave of a change of servers waits", shard.placement().unusable())
          .ifPresent(logger::warn);
      loop.schedule(() -> runWaves(waves, next), AGAIN_MILLIS, TimeUnit.MILLISECONDS);
      return;
    }
    messages.end();
    ServerMap wave = stops ? null : waves.poll();
    wavesLeft = wave == null ? 0 : waves.size();
    if (wave == null) {
      next.run();
      return;
    }
    shard.metadata().setTopology(wave.topology(1));
    shard
        .metadata()
        .whenDurable(
            () -> {
              shard.placement().begin(wave);
              migrate(false, () -> runWaves(waves, next));
            });
  }

  /**
   * Moves the items of a wave. Before the metadata record the end of a wave that removes servers,
   * parity has all that is journalled, because these servers take their copies of entries with
   * them.
   */
  private void migrate(boolean resumed, Runnable next) {
    Runnable settled =
        () -> {
          settle();
          shard.metadata().whenDurable(next); // removed servers may end then
        };
    Runnable moved =
        () -> {
          if (servers.all().stream().anyMatch(link -> shard.placement().isLeaving(link.id()))) {
            catchUp.begin(() -> true, settled);
          } else {
            folding.foldAll(settled);
          }
        };
    Migration begun = new Migration(shard, loop, steps.apply(resumed), moved);
    migration = begun;
    begun.begin();
  }

  /** Number of stripes still to visit, once for each wave. */
  public long stripesLeft() {
    Migration current = migration;
    long waves = (long) wavesLeft * shard.stripes().end();
    return current == null ? waves : waves + current.stripesLeft();
  }

  private void settle() {
    migration = null;
    shard.placement().settle();
    shard.metadata().setTopology(map().topology(0));
  }
}
