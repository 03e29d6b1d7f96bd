package io.counterpart.cache.coded.parity;

import io.counterpart.cache.coded.server.ServerLink;
import io.counterpart.cache.coded.shard.Shard;
import io.counterpart.cache.coded.stripe.Place;
import io.counterpart.cache.coded.stripe.Version;
import io.counterpart.cache.format.RecordFormat;
import io.counterpart.cache.format.StoredRecord;
import io.counterpart.cache.protocol.Key;
import io.counterpart.cache.ring.KeyHash;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads objects from their servers, or decodes them where the servers lack them. A decoded record
 * is written back if its server is available. The caller holds the key's lock. Belongs to the
 * shard's event loop. Paper: ECHash §4.4.
 */
public final class ObjectReads implements ClientReads {
  private final Shard shard;
  private final Folding folding;
  private final CodedStatistics statistics;

  public ObjectReads(Shard shard, Folding folding, CodedStatistics statistics) {
    this.shard = shard;
    this.folding = folding;
    this.statistics = statistics;
  }

  @Override
  public void ask(Key key, long keyHash, Consumer<@Nullable ByteBuf> done) {
    shard.items().getRecord(key, keyHash, done);
  }

  @Override
  public void load(Key key, Place place, Consumer<@Nullable Version> done) {
    ask(key, KeyHash.of(key.bytes()), item -> take(key, place, item, done));
  }

  /**
   * Takes the object in a place from an item, or decodes it.
   *
   * @param item a server's answer, which is released
   * @param done as {@link #load} has it
   */
  public void take(Key key, Place place, @Nullable ByteBuf item, Consumer<@Nullable Version> done) {
    Version version = null;
    if (item != null) {
      version = version(key, place, item);
      item.release();
    }
    if (version != null) {
      done.accept(version);
    } else {
      decode(key, place, done);
    }
  }

  /** The object of a place from an item; null if the item is not the slot's record. */
  public @Nullable Version version(Key key, Place place, ByteBuf item) {
    StoredRecord record = shard.records().decode(key.bytes(), item);
    if (record == null || !shard.fits(item, place.stripe())) {
      return null;
    }
    byte[] bytes = ByteBufUtil.getBytes(item, item.readerIndex(), RecordFormat.lengthBytes(item));
    return new Version(place, bytes, record.sequence());
  }

  /**
   * Decodes an object beside other readers of the stripe. Items that move to other servers
   * meanwhile may be missed; so a failure is retried alone in the stripe.
   */
  private void decode(Key key, Place place, Consumer<@Nullable Version> done) {
    int stripe = place.stripe();
    shard
        .gates()
        .enterReading(
            stripe,
            () ->
                read(
                    key,
                    place,
                    version -> {
                      if (version == null) {
                        shard.gates().leave(stripe);
                        decodeAlone(key, place, done);
                      } else {
                        statistics.degradedRead(true);
                        heal(key, version, () -> end(stripe, version, done));
                      }
                    }));
  }

  private void end(int stripe, @Nullable Version version, Consumer<@Nullable Version> done) {
    shard.gates().leave(stripe);
    done.accept(version);
  }

  /** Reads a column, unless the object was dropped while the read waited for the stripe. */
  private void read(Key key, Place place, Consumer<@Nullable Version> done) {
    if (!shard.hasObject(place, key)) {
      done.accept(null);
      return;
    }
    ColumnRead.begin(
        shard,
        new Columns(place.stripe(), new int[] {place.slot()}, statistics.degraded()),
        read -> {
          byte[] content = read.contentOf(place);
          done.accept(
              content == null ? null : version(key, place, Unpooled.wrappedBuffer(content)));
        });
  }

  private void decodeAlone(Key key, Place place, Consumer<@Nullable Version> done) {
    int stripe = place.stripe();
    shard
        .gates()
        .enterAlone(
            stripe,
            () ->
                read(
                    key,
                    place,
                    version -> {
                      statistics.degradedRead(version != null);
                      Runnable end = () -> end(stripe, version, done);
                      if (version != null) {
                        heal(key, version, end);
                      } else if (shard.placement().ringsAway() == 0
                          && shard.hasObject(place, key)) {
                        folding.dropLostAlone(stripe, end);
                      } else {
                        end.run();
                      }
                    }));
  }

  /** Writes the record back to its server, if that is there. */
  private void heal(Key key, Version version, Runnable done) {
    long hash = KeyHash.of(key.bytes());
    ServerLink server = shard.placement().dataServer(hash);
    if (!server.isUsable()) {
      done.run();
      return;
    }
    ByteBuf record = Unpooled.wrappedBuffer(version.bytes());
    shard
        .items()
        .setRecord(
            key,
            hash,
            record,
            stored -> {
              if (shard.placement().dataServer(hash) == server) {
                done.run();
              } else {
                server.delete(key, done); // the object may have moved before its record came here
              }
            });
  }
}
