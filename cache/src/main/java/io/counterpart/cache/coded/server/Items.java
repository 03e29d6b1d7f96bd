package io.counterpart.cache.coded.server;

import io.counterpart.cache.coded.item.Padded;
import io.counterpart.cache.coded.item.SlabSizes;
import io.counterpart.cache.coded.item.Stored;
import io.counterpart.cache.format.ParityFormat;
import io.counterpart.cache.index.SlotClasses;
import io.counterpart.cache.protocol.Key;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes records and parity on their servers. During a change of servers, a read of a
 * moving item tries its new server first, then its old one. A write goes to the new server and
 * deletes the item from the old one before it ends, so the old server never holds an outdated item.
 * Belongs to the shard's event loop.
 */
public final class Items {
  /** Largest padded slot, below 32 KiB. */
  private static final int MOST_PADDED_BYTES = SlotClasses.slotBytes(SlotClasses.of(30_000));

  private final Placement placement;

  public Items(Placement placement) {
    this.placement = placement;
  }

  /** Reads a record; null if it is missing, or its servers are down. */
  public void getRecord(Key key, long keyHash, Consumer<@Nullable ByteBuf> done) {
    get(placement.dataServer(keyHash), placement.oldDataServer(keyHash), key, done);
  }

  /**
   * Writes a record, padded with zeros to its slot's size if that is below 32 KiB. So all records
   * that an object can have in its slot are items of one length, and each finds room in the chunk
   * of the previous one.
   */
  public void setRecord(Key key, long keyHash, ByteBuf record, Consumer<Stored> done) {
    ServerLink old = placement.oldDataServer(keyHash);
    set(placement.dataServer(keyHash), old, key, inSlot(record), done);
  }

  /**
   * As {@link #setRecord}, for a record in the slot of another one. If both are of one slab class,
   * the old one's chunk serves the new one. Else the old one is written back to it when there is no
   * memory.
   *
   * @param before the record that the server has
   */
  public void replaceRecord(
      Key key, long keyHash, byte[] record, byte[] before, Consumer<Stored> done) {
    ServerLink server = placement.dataServer(keyHash);
    ServerLink old = placement.oldDataServer(keyHash);
    Padded item = inSlot(Unpooled.wrappedBuffer(record));
    int lengthBefore = itemLength(before.length);
    if (isAlike(server, key, item.lengthBytes(), lengthBefore)) {
      set(server, old, key, item, done);
      return;
    }
    Padded itemBefore = Padded.to(lengthBefore, Unpooled.wrappedBuffer(before));
    if (old == null) {
      server.replace(key, item, itemBefore, done);
    } else {
      server.replace(key, item, itemBefore, stored -> old.delete(key, () -> done.accept(stored)));
    }
  }

  /**
   * The server to which {@link #replaceRecord} would send a record at once, and nothing else.
   *
   * @return null if it might do anything else: delete the record elsewhere, wait for a lease, or
   *     make room for another length; or if the server is down
   */
  public @Nullable ServerLink soleServer(long keyHash, byte[] record, byte[] before) {
    ServerLink server = placement.dataServer(keyHash);
    boolean isAlike =
        record.length <= MOST_PADDED_BYTES
            && itemLength(record.length) == itemLength(before.length);
    boolean isSole = isAlike && !placement.isChanging();
    return isSole && server.isUsable() && server.needsNoWait() ? server : null;
  }

  private static boolean isAlike(ServerLink server, Key key, int length, int lengthBefore) {
    return length == lengthBefore
        || server
            .memory()
            .isAlike(
                SlabSizes.itemBytes(key.lengthBytes(), length),
                SlabSizes.itemBytes(key.lengthBytes(), lengthBefore));
  }

  /** The item for a record, padded with zeros to its slot's size if that is below 32 KiB. */
  public static Padded inSlot(ByteBuf record) {
    return Padded.to(itemLength(record.readableBytes()), record);
  }

  /**
   * Length of the item for a record. A record that is longer than any slot is damaged, and not
   * padded. Large records are not padded either: memory that they do not need is worth more than
   * room to grow.
   */
  public static int itemLength(int recordBytes) {
    return recordBytes >= SlotClasses.RECORD_HEADER_BYTES && recordBytes <= MOST_PADDED_BYTES
        ? SlotClasses.slotBytes(SlotClasses.of(recordBytes))
        : recordBytes;
  }

  /**
   * Copies a record to its new server, then deletes it on its old one. If it cannot be stored, the
   * old one keeps it.
   */
  public void moveRecord(Key key, long keyHash, ByteBuf record, Consumer<Stored> done) {
    copy(
        placement.dataServer(keyHash), placement.oldDataServer(keyHash), key, inSlot(record), done);
  }

  public void deleteRecord(Key key, long keyHash, Runnable done) {
    delete(placement.dataServer(keyHash), placement.oldDataServer(keyHash), key, done);
  }

  /**
   * Reads a parity item. One of an earlier life of the stripe is none: a crash may have come before
   * its deletion, on a server that gets the stripe's parity only now.
   */
  public void getParity(int stripe, int parity, Consumer<@Nullable ByteBuf> done) {
    long begun = placement.begunAt(stripe);
    ServerLink old = placement.oldParityServer(stripe, parity);
    Key key = placement.parityKey(stripe, parity);
    placement
        .parityServer(stripe, parity)
        .get(
            key,
            item -> {
              ByteBuf present = ofThisLife(item, begun);
              if (present == null && old != null) {
                old.get(key, other -> done.accept(ofThisLife(other, begun)));
              } else {
                done.accept(present);
              }
            });
  }

  private static @Nullable ByteBuf ofThisLife(@Nullable ByteBuf item, long begun) {
    if (item == null || ParityFormat.folded(item) >= begun) {
      return item;
    }
    item.release();
    return null;
  }

  /** Writes parity, together with other commands that follow soon. */
  public void setParity(int stripe, int parity, ByteBuf item, Consumer<Stored> done) {
    ServerLink server = placement.parityServer(stripe, parity);
    Key key = placement.parityKey(stripe, parity);
    if (placement.oldParityServer(stripe, parity) == null) {
      server.setSoon(key, Padded.none(item), done);
    } else {
      set(server, placement.oldParityServer(stripe, parity), key, Padded.none(item), done);
    }
  }

  /**
   * Copies a parity chunk to its new server, then deletes it on its old one. If it cannot be
   * stored, the old one keeps it.
   */
  public void moveParity(int stripe, int parity, ByteBuf item, Consumer<Stored> done) {
    copy(
        placement.parityServer(stripe, parity),
        placement.oldParityServer(stripe, parity),
        placement.parityKey(stripe, parity),
        Padded.none(item),
        done);
  }

  /** Deletes parity that is wrong. */
  public void deleteParity(int stripe, int parity, Runnable done) {
    delete(
        placement.parityServer(stripe, parity),
        placement.oldParityServer(stripe, parity),
        placement.parityKey(stripe, parity),
        done);
  }

  /**
   * A callback that deletes a stripe's parity, although the stripe may be free by then. A server
   * that is down becomes stale: it would keep its item for good.
   */
  public Runnable dropParity(int stripe, int count) {
    List<Runnable> drops = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Key key = placement.parityKey(stripe, i);
      ServerLink server = placement.parityServer(stripe, i);
      ServerLink old = placement.oldParityServer(stripe, i);
      drops.add(() -> server.delete(key, () -> {}));
      if (old != null) {
        drops.add(() -> old.delete(key, () -> {}));
      }
    }
    return () -> drops.forEach(Runnable::run);
  }

  private static void get(
      ServerLink server, @Nullable ServerLink other, Key key, Consumer<@Nullable ByteBuf> done) {
    if (other == null) {
      server.get(key, done);
    } else {
      server.get(
          key,
          item -> {
            if (item == null) {
              other.get(key, done);
            } else {
              done.accept(item);
            }
          });
    }
  }

  private static void set(
      ServerLink server, @Nullable ServerLink old, Key key, Padded item, Consumer<Stored> done) {
    server.set(key, item, old == null ? done : stored -> drop(old, key, stored, done));
  }

  private static void copy(
      ServerLink server, @Nullable ServerLink old, Key key, Padded item, Consumer<Stored> done) {
    Consumer<Stored> kept = stored -> drop(stored == Stored.DONE ? old : null, key, stored, done);
    server.set(key, item, kept);
  }

  private static void drop(
      @Nullable ServerLink old, Key key, Stored stored, Consumer<Stored> done) {
    if (old == null) {
      done.accept(stored);
    } else {
      old.delete(key, () -> done.accept(stored));
    }
  }

  private static void delete(ServerLink server, @Nullable ServerLink old, Key key, Runnable done) {
    if (old == null) {
      server.delete(key, done);
    } else {
      server.delete(key, () -> old.delete(key, done));
    }
  }
}
