package io.counterpart.cache.coded;

import io.counterpart.cache.backend.GuardedLoop;
import io.counterpart.cache.coded.server.CountingCopies;
import io.counterpart.cache.coded.server.LossWatch;
import io.counterpart.cache.coded.server.ServerLink;
import io.counterpart.cache.coded.server.ServerTable;
import io.counterpart.cache.coded.shard.Shard;
import io.counterpart.cache.ownership.StartQuorum;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The start of a shard until its replay: waits for so many servers that no other owner can go on,
 * and that every acknowledged write is found. Belongs to the shard's event loop.
 */
final class ShardStart {
  private static final Logger logger = LoggerFactory.getLogger(ShardStart.class);
  private static final Duration AGAIN = Duration.ofMillis(100);
  private static final Duration GRACE = Duration.ofMillis(300);
  private static final Duration BETWEEN_MESSAGES = Duration.ofSeconds(30);

  private final Shard shard;
  private final ServerTable servers;
  private final CountingCopies counting;
  private final GuardedLoop loop;
  private final Runnable replay;
  private final StartQuorum quorum;

  /** Servers that joined without their items. */
  private final Set<ServerLink> emptied = new HashSet<>();

  private boolean waited;

  /** Whether enough servers have joined, and those that are connected get some more time. */
  private boolean isInGrace;

  private boolean isGraceOver;

  /** Begun so far: a timer may be of one that an interrupted replay has ended. */
  private int graces;

  private boolean replaying;
  private boolean ended;

  /** Of the servers in use when the replay was requested. */
  private LossWatch used = new LossWatch(List.of());

  /**
   * @param replay finishes interrupted writes with the servers that are used then
   */
  ShardStart(
      Shard shard,
      ServerTable servers,
      CountingCopies counting,
      GuardedLoop loop,
      Runnable replay) {
    this.shard = shard;
    this.servers = servers;
    this.counting = counting;
    this.loop = loop;
    this.replay = replay;
    this.quorum = new StartQuorum(shard.code());
  }

  /**
   * Begins to wait.
   *
   * @param all time for all servers to come, after which the necessary ones do
   */
  void await(Duration all) {
    loop.schedule(
        () -> {
          waited = true;
          replayIfReady();
          sayWhoIsAwaited();
        },
        all.toMillis(),
        TimeUnit.MILLISECONDS);
  }

  /** A server has joined, and lacks items. */
  void emptied(ServerLink link) {
    emptied.add(link);
  }

  /** Servers that joined without their items; the shard serves, so no others come. */
  Set<ServerLink> end() {
    ended = true;
    return emptied;
  }

  /** The replay was interrupted, as a server was lost: it begins anew. */
  void again() {
    replaying = false;
    isInGrace = false;
    isGraceOver = false;
    loop.schedule(this::replayIfReady, AGAIN.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** Begins the replay, if it is time; called whenever a server has joined. */
  void replayIfReady() {
    boolean all = unused().isEmpty();
    if (replaying
        || ended
        || loop.isEnded()
        || !(all || waited && isEnough())
        || !counting.mayBegin()) {
      return;
    }
    if (!all && !isGraceOver && unused().stream().anyMatch(link -> link.connection().isOpen())) {
      awaitTheLast();
      return;
    }
    replaying = true;
    servers.serve();
    // they lack what is done without them
    unused().forEach(ServerLink::miss);
    used = new LossWatch(servers.usable());
    replay.run();
  }

  /**
   * Whether a server was lost since the replay was requested, which may first wait for marks. With
   * those that lack items, the others may be too few to find every acknowledged write.
   */
  boolean hasLostAny() {
    return used.hasLostAny();
  }

  /** Gives servers that are about to join a moment: without it they would be emptied. */
  private void awaitTheLast() {
    if (!isInGrace) {
      isInGrace = true;
      int grace = ++graces;
      loop.schedule(
          () -> {
            if (isInGrace && grace == graces) {
              isGraceOver = true;
              replayIfReady();
            }
          },
          GRACE.toMillis(),
          TimeUnit.MILLISECONDS);
    }
  }

  private boolean isEnough() {
    int down = shard.placement().ringsDown();
    int unproven = shard.placement().ringsWith(this::isUnproven);
    return quorum.suffices(down, unproven) && findsAll();
  }

  private boolean findsAll() {
    return quorum.findsAll(
        shard.placement().ringsHoldingItems(this::isLate),
        shard.placement().ringsHoldingItems(link -> !link.isUsable() || isLacking(link)));
  }

  private boolean isLate(ServerLink link) {
    return !link.isUsable() && !isLacking(link);
  }

  /** Whether a server is to be emptied, or has joined without its items. */
  boolean isLacking(ServerLink link) {
    return link.isStale() || emptied.contains(link);
  }

  private boolean isUnproven(ServerLink link) {
    return !link.isUsable() || servers.isUnproven(link);
  }

  private List<ServerLink> unused() {
    return servers.all().stream().filter(link -> !link.isUsable()).toList();
  }

  /** Says it again as long as it is so. */
  private void sayWhoIsAwaited() {
    if (ended || loop.isEnded()) {
      return;
    }
    if (!replaying) {
      logger.warn("waiting for servers, because {}: {}", why(), unused());
    }
    loop.schedule(this::sayWhoIsAwaited, BETWEEN_MESSAGES.toMillis(), TimeUnit.MILLISECONDS);
  }

  private String why() {
    int parityCount = shard.code().parityCount();
    if (!counting.mayBegin()) {
      return ("the marks of %d rings must show that this copy of the metadata counts, or of which"
              + " machine one does. If all servers have lost their marks with their items, delete"
              + " the metadata on all machines and begin anew. Awaited")
          .formatted(parityCount + 1);
    }
    if (!findsAll()) {
      return "too many lack items, or are not there, so that some of what was acknowledged may be on"
          + " one of these alone. If they are gone for good, start empty ones there";
    }
    if (shard.placement().ringsDown() <= parityCount) {
      return "another proxy may still own the tier with those that are not used here";
    }
    return "objects can be read only while no more than %d of the %d rings have one that is down"
        .formatted(parityCount, shard.code().n());
  }
}
