package io.counterpart.cache.coded.request;

import io.counterpart.cache.coded.copies.Copies;
import io.counterpart.cache.coded.flow.Countdown;
import io.counterpart.cache.coded.server.ServerLink;
import io.counterpart.cache.coded.server.ServerTable;
import io.counterpart.cache.coded.shard.Shard;
import io.counterpart.cache.coded.write.Written;
import io.counterpart.cache.index.StripeState;
import io.counterpart.cache.ring.KeyHash;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes all objects of a shard: removes them from the metadata and empties every server as if it
 * were stale. Belongs to the shard's event loop.
 */
public final class Clearing {
  private static final Logger logger = LoggerFactory.getLogger(Clearing.class);

  private final Shard shard;
  private final ServerTable servers;
  private final Copies copies;

  /** The callbacks of the last clearing that was begun or requested. */
  private @Nullable List<Consumer<Written>> latest;

  /**
   * @param copies of the metadata elsewhere, which must not be waited for while all servers are
   *     emptied
   */
  public Clearing(Shard shard, ServerTable servers, Copies copies) {
    this.shard = shard;
    this.servers = servers;
    this.copies = copies;
  }

  /**
   * Clears after all changes requested before, and before all changes requested afterwards.
   *
   * @param done gets UNAVAILABLE if too many servers are down, as any change does
   */
  public void begin(Consumer<Written> done) {
    if (latest != null && !shard.locks().hasHeldMore()) {
      latest.add(done); // no operation has come since
      return;
    }
    List<Consumer<Written>> ends = new ArrayList<>();
    ends.add(done);
    latest = ends;
    shard.locks().pause(() -> copies.begin(() -> enterAll(() -> clear(() -> end(ends)))));
  }

  private void end(List<Consumer<Written>> ends) {
    if (latest == ends) {
      latest = null;
    }
    // another owner may serve the old items of servers whose mark was not seen here
    boolean isSafe = shard.placement().ringsDown() <= shard.code().parityCount();
    copies.serve();
    shard.locks().resume();
    ends.forEach(end -> end.accept(isSafe ? Written.DONE : Written.UNAVAILABLE));
  }

  /**
   * Enters all stripes alone. Other work in stripes, such as folding and restoration, ends first,
   * because it would write parity of a freed stripe into a new one. This cannot deadlock: only
   * changes wait for a second stripe, and they are paused.
   */
  private void enterAll(Runnable body) {
    int end = shard.stripes().end();
    Countdown entered =
        new Countdown(
            end + 1,
            () -> {
              body.run();
              IntStream.range(0, end).forEach(shard.gates()::leave);
            });
    IntStream.range(0, end).forEach(stripe -> shard.gates().enterAlone(stripe, entered::oneLess));
    entered.oneLess();
  }

  private void clear(Runnable done) {
    List<ServerLink> used = servers.usable();
    servers.all().forEach(ServerLink::miss);
    forgetAll();
    // a loss of power must not bring back objects whose items are gone
    awaitUse(used, () -> shard.metadata().whenDurable(done));
  }

  /**
   * Deletes everything from the metadata. A crash in the middle leaves objects without items, which
   * reads drop.
   */
  private void forgetAll() {
    try {
      shard
          .metadata()
          .log()
          .chunks()
          .forEach(
              (stripe, chunk, slot, key) -> shard.objects().remove(KeyHash.of(key), stripe, slot));
    } catch (IOException e) {
      logger.error("the keys cannot be read", e);
      shard.metadata().fail();
      return;
    }
    shard.metadata().together(this::freeStripes);
    shard.freeSlots().clear();
    shard.readSlots().clear();
    shard.pending().clear();
    shard.missingParity().clear();
    shard.recent().clear();
    shard.recentParity().clear();
    shard.journal().clear();
  }

  private void freeStripes() {
    for (int stripe = 0; stripe < shard.stripes().end(); stripe++) {
      if (shard.stripes().state(stripe) != StripeState.FREE) {
        shard.metadata().freeStripe(stripe, () -> {});
      }
    }
  }

  private void awaitUse(List<ServerLink> awaited, Runnable done) {
    boolean all = awaited.stream().allMatch(link -> link.isUsable() || !link.isToBeAwaited());
    if (all) {
      done.run();
    } else {
      shard.loop().schedule(() -> awaitUse(awaited, done), 1, TimeUnit.MILLISECONDS);
    }
  }
}
