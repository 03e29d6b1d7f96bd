package io.counterpart.cache.service.peer;

import io.counterpart.cache.forward.peer.Peers;
import io.netty.channel.EventLoop;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has an owner without leases ask its peers. One that is cut off from the servers, but not from its
 * peers, sees no mark of whoever owns the tier by then. Belongs to the event loop.
 */
public final class OwnerElsewhere {
  private static final Logger logger = LoggerFactory.getLogger(OwnerElsewhere.class);
  private static final long LOOK_MILLIS = 1000;

  /** The leases: before, nobody else can have begun. */
  private static final long PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(1500);

  private final Peers peers;
  private final BooleanSupplier isOwner;
  private final CompletableFuture<Void> over;
  private final EventLoop loop;
  private long ownedNanos = System.nanoTime();

  private OwnerElsewhere(
      Peers peers, BooleanSupplier isOwner, CompletableFuture<Void> over, EventLoop loop) {
    this.peers = peers;
    this.isOwner = isOwner;
    this.over = over;
    this.loop = loop;
  }

  /**
   * Begins to look.
   *
   * @param isOwner whether nobody else can have begun to own the tier
   * @param end of this ownership
   * @return done at the end, or when another proxy owns the tier
   */
  public static CompletableFuture<Void> orEnd(
      PeerOptions peers, BooleanSupplier isOwner, CompletableFuture<Void> end, EventLoop loop) {
    CompletableFuture<Void> over = end.copy();
    Peers asked = new Peers(peers.others(), peers.question(), peers.security(), loop);
    loop.execute(new OwnerElsewhere(asked, isOwner, over, loop)::look);
    return over;
  }

  private void look() {
    if (over.isDone()) {
      return;
    }
    long now = System.nanoTime();
    ownedNanos = isOwner.getAsBoolean() ? now : ownedNanos;
    if (now - ownedNanos > PATIENCE_NANOS) {
      peers
          .findOwner()
          .thenAccept(found -> found.ifPresent(owner -> end(owner.server().toString())));
    }
    loop.schedule(this::look, LOOK_MILLIS, TimeUnit.MILLISECONDS);
  }

  private void end(String owner) {
    if (over.complete(null)) {
      logger.warn("the proxy at {} owns the tier, and this one lacks leases: it follows", owner);
    }
  }
}
