package io.counterpart.baselines;

import io.counterpart.cache.coded.parity.ClientReads;
import io.counterpart.cache.coded.parity.ObjectReads;
import io.counterpart.cache.coded.parity.ShardServices;
import io.counterpart.cache.coded.stripe.Place;
import io.counterpart.cache.coded.stripe.Version;
import io.counterpart.cache.protocol.Key;
import io.counterpart.cache.ring.KeyHash;
import io.netty.buffer.ByteBuf;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Reads of objects whose chunk may belong to another server. Belongs to the shard's event loop. */
final class CcmemcachedReads implements ClientReads {
  private final ObjectReads reads;
  private final ChunkRecords records;

  CcmemcachedReads(ShardServices services) {
    this.reads = services.reads();
    this.records = new ChunkRecords(services.shard());
  }

  @Override
  public void ask(Key key, long keyHash, Consumer<@Nullable ByteBuf> done) {
    reads.ask(key, keyHash, done);
  }

  @Override
  public void load(Key key, Place place, Consumer<@Nullable Version> done) {
    records.get(place, key, KeyHash.of(key.bytes()), item -> reads.take(key, place, item, done));
  }
}
