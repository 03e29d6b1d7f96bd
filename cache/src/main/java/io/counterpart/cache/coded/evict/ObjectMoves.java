package io.counterpart.cache.coded.evict;

import io.counterpart.cache.coded.parity.ObjectReads;
import io.counterpart.cache.coded.parity.ShardServices;
import io.counterpart.cache.coded.server.ServerLink;
import io.counterpart.cache.coded.shard.ObjectSlot;
import io.counterpart.cache.coded.shard.Shard;
import io.counterpart.cache.coded.stripe.Place;
import io.counterpart.cache.coded.stripe.Version;
import io.counterpart.cache.coded.write.Written;
import io.counterpart.cache.index.DataRings;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Moves objects of one stripe to slots of other stripes, several at once, beside clients' requests.
 * An object that has left its place meanwhile is passed over. Belongs to the shard's event loop.
 */
final class ObjectMoves {
  private static final int OBJECTS_AT_ONCE = 16;
  private static final int NOT_SEEN = -1;

  private final Shard shard;
  private final ObjectReads reads;
  private final Moves moves;
  private final int stripe;
  private final DataRings layout;
  private final ArrayDeque<ObjectSlot> left = new ArrayDeque<>();
  private int underWay;
  private boolean proceeding;

  /** Why objects move. */
  interface Purpose {
    /**
     * Whether an object may be moved now; false ends the moves, once those under way have ended.
     */
    boolean goesOn(ObjectSlot next);

    /** A free slot of another stripe in this ring, taken for an object; null if there is none. */
    @Nullable Place target(int ring);

    /** An object stays: it cannot be read, or has no target. */
    void stays();

    /** A move has ended, of an object with a record of so many bytes. */
    void moved(Written written, int recordBytes);

    /** No move is under way any more. */
    void ended();
  }

  ObjectMoves(ShardServices services, Moves moves, int stripe) {
    this.shard = services.shard();
    this.reads = services.reads();
    this.moves = moves;
    this.stripe = stripe;
    this.layout = new DataRings(shard.stripes().layout(stripe));
  }

  int stripe() {
    return stripe;
  }

  /** Begins to move objects; not while any move. */
  void begin(Collection<ObjectSlot> objects, Purpose purpose) {
    left.addAll(objects);
    proceed(purpose);
  }

  /** Objects that were not tried. */
  List<ObjectSlot> left() {
    return List.copyOf(left);
  }

  private void proceed(Purpose purpose) {
    if (proceeding) {
      return; // the loop below, further up the stack, goes on
    }
    proceeding = true;
    while (underWay < OBJECTS_AT_ONCE && !left.isEmpty() && purpose.goesOn(left.element())) {
      underWay++;
      ObjectSlot slot = left.remove();
      shard.locks().lockToMove(slot.key(), () -> move(slot, purpose));
    }
    proceeding = false;
    if (underWay == 0) {
      purpose.ended();
    }
  }

  private void unlock(ObjectSlot slot, Purpose purpose) {
    shard.locks().unlock(slot.key());
    underWay--;
    proceed(purpose);
  }

  private void move(ObjectSlot slot, Purpose purpose) {
    if (!slot.place().equals(shard.placement().find(slot.key(), slot.hash()))) {
      unlock(slot, purpose); // it was deleted, or got another slot
      return;
    }
    ServerLink server = shard.placement().dataServer(slot.hash());
    int joins = server.joins();
    reads.ask(
        slot.key(),
        slot.hash(),
        item -> {
          int seen = item == null ? NOT_SEEN : joins;
          reads.take(slot.key(), slot.place(), item, version -> move(slot, version, seen, purpose));
        });
  }

  /**
   * @param seen joins of the server when it had the record, which it may have lost since
   */
  private void move(ObjectSlot slot, @Nullable Version version, int seen, Purpose purpose) {
    int ring = layout.ring(slot.place().chunk());
    Place to = version == null ? null : purpose.target(ring);
    if (version == null || to == null) {
      purpose.stays();
      unlock(slot, purpose);
      return;
    }
    moves
        .slots()
        .moveWithinClass(
            slot.key(),
            version,
            to,
            written -> {
              ServerLink server = shard.placement().dataServer(slot.hash());
              if (written == Written.DONE && server.joins() != seen) {
                moves.lacking().accept(server, to.stripe());
              }
              purpose.moved(written, version.bytes().length);
              unlock(slot, purpose);
            });
  }
}
