package io.counterpart.baselines;

import io.counterpart.cache.coded.parity.ClientReads;
import io.counterpart.cache.coded.parity.CodedStatistics;
import io.counterpart.cache.coded.parity.ColumnRead;
import io.counterpart.cache.coded.parity.Columns;
import io.counterpart.cache.coded.parity.ObjectReads;
import io.counterpart.cache.coded.parity.ShardServices;
import io.counterpart.cache.coded.shard.Shard;
import io.counterpart.cache.coded.stripe.Place;
import io.counterpart.cache.coded.stripe.Version;
import io.counterpart.cache.protocol.Key;
import io.netty.buffer.Unpooled;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads that ask only the new server of a moving object, and decode the object until it is there.
 * Belongs to the shard's event loop. Paper: ECHash §2.4 (example 2), §4.3.
 */
final class PaperReads extends NewServerReads {
  private final Shard shard;
  private final ObjectReads reads;
  private final CodedStatistics statistics;
  private final ChunkRecords records;

  PaperReads(ShardServices services, ClientReads others) {
    super(services.shard(), others);
    this.shard = services.shard();
    this.reads = services.reads();
    this.statistics = services.statistics();
    this.records = new ChunkRecords(shard);
  }

  @Override
  void loadMoving(Key key, long keyHash, Place place, Consumer<@Nullable Version> done) {
    ask(
        key,
        keyHash,
        item -> {
          Version version = null;
          if (item != null) {
            version = reads.version(key, place, item);
            item.release();
          }
          if (version != null) {
            done.accept(version);
          } else {
            decode(key, place, done);
          }
        });
  }

  /** Decodes an object beside other readers of its stripe, without asking for it. */
  private void decode(Key key, Place place, Consumer<@Nullable Version> done) {
    shard
        .gates()
        .enterReading(
            place.stripe(),
            () ->
                readColumn(
                    key,
                    place,
                    version -> {
                      shard.gates().leave(place.stripe());
                      if (version == null) {
                        reads.take(key, place, null, done); // waits for moves under way, if need be
                      } else {
                        statistics.degradedRead(true);
                        done.accept(version);
                      }
                    }));
  }

  private void readColumn(Key key, Place place, Consumer<@Nullable Version> done) {
    if (!shard.hasObject(place, key)) {
      done.accept(null);
      return;
    }
    ColumnRead.begin(
        shard,
        new Columns(place.stripe(), new int[] {place.slot()}, statistics.degraded()),
        records.without(place.chunk()),
        read -> {
          byte[] content = read.contentOf(place);
          done.accept(
              content == null ? null : reads.version(key, place, Unpooled.wrappedBuffer(content)));
        });
  }
}
