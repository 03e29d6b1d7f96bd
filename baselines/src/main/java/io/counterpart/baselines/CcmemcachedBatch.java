package io.counterpart.baselines;

import io.counterpart.cache.coded.flow.Countdown;
import io.counterpart.cache.coded.parity.ShardServices;
import io.counterpart.cache.coded.server.ServerLink;
import io.counterpart.cache.coded.shard.Shard;
import io.counterpart.cache.coded.stripe.Place;
import io.counterpart.cache.index.StripeState;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * A batch of objects of one slot class that already lie on their new servers. The batch gives them
 * places in new stripes, with parity, then removes them from their old stripes and updates the
 * parity of each old stripe once. At any time every object is complete in one of its two stripes.
 * Reads do not wait; changes of these objects do. Belongs to the shard's event loop.
 */
final class CcmemcachedBatch {
  private final ShardServices services;
  private final Shard shard;
  private final RecordMove recordMove;
  private final int slotClass;
  private final List<Moved> batch;
  private final Consumer<Boolean> done;
  private final List<NewStripe> stripes = new ArrayList<>();
  private boolean isComplete = true;

  /**
   * @param batch at least one object, each once
   * @param done gets whether all have left their old stripes
   */
  CcmemcachedBatch(
      ShardServices services,
      RecordMove recordMove,
      int slotClass,
      List<Moved> batch,
      Consumer<Boolean> done) {
    this.services = services;
    this.shard = services.shard();
    this.recordMove = recordMove;
    this.slotClass = slotClass;
    this.batch = batch;
    this.done = done;
  }

  void begin() {
    Countdown locked = new Countdown(batch.size(), this::fillStripes);
    batch.forEach(moved -> shard.locks().lockToMove(moved.key(), locked::oneLess));
  }

  private void fillStripes() {
    List<Moved> valid = batch.stream().filter(this::isToLeave).toList();
    shard.metadata().together(() -> stripes.addAll(NewStripe.fill(shard, slotClass, valid)));
    Countdown sealed = new Countdown(stripes.size() + 1, this::leaveOld);
    stripes.forEach(stripe -> seal(stripe, sealed::oneLess));
    sealed.oneLess();
  }

  /**
   * Whether an object can leave its old stripe. A change may have come first, or its server may
   * have lost the record.
   */
  private boolean isToLeave(Moved moved) {
    Place place = moved.place();
    if (!place.equals(shard.placement().find(moved.key(), moved.hash()))) {
      return false;
    }
    boolean isToLeave =
        shard.stripes().state(place.stripe()) == StripeState.SEALED && hasRecord(moved);
    isComplete &= isToLeave;
    return isToLeave;
  }

  private boolean hasRecord(Moved moved) {
    ServerLink server = shard.placement().dataServer(moved.hash());
    return server.isUsable() && server.joins() == moved.joins();
  }

  private void seal(NewStripe stripe, Runnable next) {
    int number = stripe.number();
    shard
        .gates()
        .enterAlone(
            number,
            () ->
                services
                    .folding()
                    .foldAlone(
                        number,
                        services.statistics().scalingParity(),
                        () -> {
                          if (shard.stripes().state(number) == StripeState.OPEN) {
                            stripe.giveUp(shard); // a server has no memory for its parity
                            isComplete = false;
                          }
                          shard.gates().leave(number);
                          next.run();
                        }));
  }

  private void leaveOld() {
    Map<Integer, List<Moved>> byOld = new TreeMap<>();
    List<Moved> placed =
        stripes.stream().flatMap(stripe -> stripe.objects().values().stream()).toList();
    placed.forEach(
        moved ->
            byOld.computeIfAbsent(moved.place().stripe(), stripe -> new ArrayList<>()).add(moved));
    Countdown countdown = new Countdown(placed.size() + 1, this::end);
    byOld.forEach((stripe, objects) -> leave(stripe, objects, countdown::oneLess));
    countdown.oneLess();
  }

  /**
   * Removes objects from an old stripe. Their old copies stay until parity no longer includes them,
   * because only they are surely on that server.
   */
  private void leave(int stripe, List<Moved> objects, Runnable eachDone) {
    new Leaving(services)
        .begin(stripe, objects, () -> objects.forEach(moved -> dropOld(moved, eachDone)));
  }

  /**
   * Deletes the old server's copy, or writes the record to the new server again if that has lost it
   * meanwhile.
   */
  private void dropOld(Moved moved, Runnable next) {
    if (hasRecord(moved)) {
      recordMove.dropOld(moved.old(), moved.key(), next);
    } else {
      shard
          .items()
          .setRecord(
              moved.key(),
              moved.hash(),
              Unpooled.wrappedBuffer(moved.record()),
              stored -> next.run());
    }
  }

  /** Offers the unused slots of the new stripes. */
  private void end() {
    stripes.stream()
        .filter(stripe -> !stripe.objects().isEmpty())
        .forEach(stripe -> shard.freeSlots().giveAll(stripe.number()));
    batch.forEach(moved -> shard.locks().unlock(moved.key()));
    done.accept(isComplete);
  }
}
