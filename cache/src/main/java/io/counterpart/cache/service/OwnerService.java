package io.counterpart.cache.service;

import io.counterpart.cache.backend.ServerAddress;
import io.counterpart.cache.forward.FailoverTier;
import io.counterpart.cache.forward.OwnerAddress;
import io.counterpart.cache.forward.OwnershipSecret;
import io.counterpart.cache.proxy.ProxyServer;
import io.counterpart.cache.service.peer.OwnedTier;
import io.counterpart.cache.service.peer.OwnerElsewhere;
import io.counterpart.cache.service.peer.PeerOptions;
import io.counterpart.cache.service.peer.TakeoverTurn;
import io.counterpart.cache.service.peer.UntilClosed;
import io.counterpart.cache.tier.ObjectTier;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The service of a tier's owner: to its clients, to proxies that follow, to other machines. */
final class OwnerService {
  private static final Logger logger = LoggerFactory.getLogger(OwnerService.class);
  private static final long NANOS_PER_MILLI = 1_000_000;

  private final SchemeContext context;
  private final Path directory;
  private final FailoverTier objects;
  private final @Nullable PeerOptions peers;

  /**
   * @param directory of the metadata, where followers look for the owner
   * @param objects of the proxy's clients, which use the tier while it is owned
   */
  OwnerService(SchemeContext context, Path directory, FailoverTier objects) {
    this.context = context;
    this.directory = directory;
    this.objects = objects;
    this.peers = context.options().peers();
  }

  /**
   * Whether the store is reached from here. Asked before anything is claimed, because from then on
   * the tier may be served from no other copy of the metadata.
   *
   * @param turn ends if it is not
   * @param isFirst whether no tier was open before
   * @throws IOException if it is not, at the first start
   */
  boolean reachesStore(TakeoverTurn turn, boolean isFirst) throws IOException {
    if (context.store().isReached()) {
      return true;
    }
    if (isFirst) {
      throw new IOException("the persistent store is not reached");
    }
    logger.warn("the tier is not taken over, because the persistent store is not reached");
    turn.refused();
    return false;
  }

  /**
   * The tier with its store; null if that cannot be used now, by a tier that was open before.
   *
   * @param isFirst whether the tier was not
   * @throws IOException if it cannot be used at the first start
   */
  @Nullable ObjectTier behind(ProxyStore store, CodedTier tier, boolean isFirst)
      throws IOException {
    try {
      return store.behind(tier.objects(), tier.isOwner(peers != null));
    } catch (IOException e) {
      if (isFirst) {
        throw e;
      }
      logger.error("the store cannot be used now: the tier is opened again", e);
      return null;
    }
  }

  /**
   * Serves a tier until it ends, another proxy owns it, or the waits end.
   *
   * @param operations on its objects, with the store behind them; those that have no answer then
   *     have lost their clients
   * @param begun runs when it is served
   * @param ended runs on the loop when it is not any more; closes the clients. Not if it never was
   * @throws IOException if the tier ends by itself, or an address cannot be listened on
   */
  void serve(
      CodedTier tier, ObjectTier operations, UntilClosed waits, Runnable begun, Runnable ended)
      throws IOException, InterruptedException {
    OwnershipSecret secret = OwnershipSecret.random();
    ObjectTier local =
        peers == null ? operations : new OwnedTier(operations, tier.copies()::isOwner);
    OwnerAddress published = null;
    try (ProxyServer followers =
            ProxyServer.listenToFollowers(
                local, context.memory(), secret, () -> System.nanoTime() / NANOS_PER_MILLI);
        ProxyServer elsewhere =
            peers == null ? null : peers.listen(local, context.memory(), tier.copies())) {
      ServerAddress address =
          new ServerAddress(
              followers.address().getAddress().getHostAddress(), followers.address().getPort());
      OwnerAddress own = new OwnerAddress(address, secret, context.control());
      own.write(directory);
      published = own;
      // on the loop, and before the shard closes
      CompletableFuture<Void> forgotten =
          CompletableFuture.runAsync(() -> objects.use(local), context.loop())
              .thenCompose(used -> tier.ended().whenComplete((end, why) -> objects.lose(local)));
      logger.info(
          "owns the tier in {}; proxies that follow reach it at {}{}",
          directory,
          address,
          elsewhere == null ? "" : ", from other machines at " + elsewhere.address());
      begun.run();
      waits.await(
          peers == null
              ? forgotten
              : OwnerElsewhere.orEnd(peers, tier.copies()::isOwner, forgotten, context.loop()));
    } finally {
      if (published != null) {
        // else no client of this proxy has begun anything: those of other shards stay
        context
            .loop()
            .execute(
                () -> {
                  objects.lose(local);
                  ended.run();
                  objects.refuseWaiting(); // what the clients have sent since the tier was lost
                });
        published.withdraw(directory); // a shard that ended by itself has given back its lock
      }
    }
  }
}
