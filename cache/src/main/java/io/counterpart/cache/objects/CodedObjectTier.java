package io.counterpart.cache.objects;

import io.counterpart.cache.backend.SummedStatistics;
import io.counterpart.cache.coded.CodedShard;
import io.counterpart.cache.coded.item.OwnKeys;
import io.counterpart.cache.coded.request.CodedObjects;
import io.counterpart.cache.coded.write.Written;
import io.counterpart.cache.command.Arithmetic;
import io.counterpart.cache.command.Changes;
import io.counterpart.cache.format.StoredRecord;
import io.counterpart.cache.protocol.Key;
import io.counterpart.cache.protocol.MetaItem;
import io.counterpart.cache.tier.ArithmeticCommand;
import io.counterpart.cache.tier.DeleteCommand;
import io.counterpart.cache.tier.GetOptions;
import io.counterpart.cache.tier.GetOutcome;
import io.counterpart.cache.tier.NumberOutcome;
import io.counterpart.cache.tier.ObjectTier;
import io.counterpart.cache.tier.Status;
import io.counterpart.cache.tier.StoreCommand;
import io.counterpart.cache.tier.WriteOutcome;
import io.netty.buffer.ByteBuf;
import io.netty.channel.EventLoop;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * A tier under an erasure code over n rings of servers. Every acknowledged object can be read and
 * written as long as no more than n − k rings have a server that is down. Paper: ECHash.
 */
public final class CodedObjectTier implements ObjectTier {
  private final CodedShard shard;
  private final CodedObjects objects;
  private final DelayedFlush delayedFlush;
  private final LongSupplier clockSeconds;

  /** A tier on an open shard, on its event loop. */
  public CodedObjectTier(CodedShard shard, EventLoop loop, LongSupplier clockSeconds) {
    this.shard = shard;
    this.objects = shard.objects();
    this.delayedFlush = new DelayedFlush(loop, clockSeconds);
    this.clockSeconds = clockSeconds;
  }

  @Override
  public long readBytes(Key key) {
    return objects.isChanging(key) ? UNKNOWN : objects.readBytes(key);
  }

  @Override
  public long writeBytes(Key key, int valueBytes) {
    return objects.writeBytes(key, valueBytes);
  }

  @Override
  public void get(Key key, GetOptions options, Consumer<GetOutcome> done) {
    if (options.exptime() != null || options.vivify() != null || options.recache() != null) {
      change(key, new Recaching(options), done);
      return;
    }
    objects.read(
        key,
        new CodedObjects.Reader() {
          @Override
          public void found(StoredRecord record, ByteBuf owner) {
            if (options.details()
                && record.has(StoredRecord.STALE)
                && !record.has(StoredRecord.TOKEN_SENT)) {
              owner.release();
              change(key, new Recaching(options), done);
            } else {
              done.accept(
                  new GetOutcome.Found(
                      item(record, options, false), record.value().retainedSlice()));
              owner.release();
            }
          }

          @Override
          public void absent() {
            done.accept(new GetOutcome.None(Status.NOT_FOUND));
          }

          @Override
          public void unavailable() {
            done.accept(new GetOutcome.None(Status.UNAVAILABLE));
          }
        });
  }

  /** Asks for no details, so that the read takes no right to recompute; it has the marks too. */
  @Override
  public void look(Key key, Consumer<GetOutcome> done) {
    get(key, GetOptions.PLAIN, done);
  }

  private void change(Key key, Recaching read, Consumer<GetOutcome> done) {
    if (OwnKeys.isOwn(key)) {
      done.accept(new GetOutcome.None(Status.NOT_FOUND));
      return;
    }
    objects.change(
        key,
        read,
        (written, cas) -> {
          StoredRecord found = read.found();
          if (written == Written.DONE && found != null) {
            StoredRecord now =
                new StoredRecord(
                    found.flags(), read.toldExpirySeconds(), found.marks(), cas, found.value());
            done.accept(new GetOutcome.Found(item(now, read.options(), read.won()), now.value()));
          } else {
            done.accept(
                new GetOutcome.None(written == Written.DONE ? Status.NOT_FOUND : status(written)));
          }
        });
  }

  private MetaItem item(StoredRecord record, GetOptions options, boolean won) {
    long ttl =
        record.expirySeconds() == 0
            ? -1
            : Integer.toUnsignedLong(record.expirySeconds()) - clockSeconds.getAsLong();
    return new MetaItem(
        record.value().readableBytes(),
        record.flags(),
        record.cas(),
        ttl,
        0,
        false,
        options.binaryKey(),
        won,
        record.has(StoredRecord.STALE),
        record.has(StoredRecord.TOKEN_SENT) && !won);
  }

  @Override
  public void inspect(Key key, Consumer<String> done) {
    get(
        key,
        GetOptions.PLAIN,
        outcome -> {
          if (outcome instanceof GetOutcome.Found found) {
            found.value().release();
            done.accept(
                "exp=%d la=0 cas=%s fetch=no cls=1 size=%d"
                    .formatted(
                        found.item().ttlSeconds(),
                        Long.toUnsignedString(found.item().cas()),
                        found.item().lengthBytes()));
          } else {
            done.accept("");
          }
        });
  }

  @Override
  public void store(StoreCommand command, Consumer<WriteOutcome> done) {
    change(command.key(), new Changes.Store(command), done);
  }

  @Override
  public void delete(DeleteCommand command, Consumer<WriteOutcome> done) {
    change(command.key(), new Changes.Delete(command), done);
  }

  @Override
  public void arithmetic(ArithmeticCommand command, Consumer<NumberOutcome> done) {
    change(command.key(), new Arithmetic(command), done);
  }

  private <T> void change(Key key, Changes<T> change, Consumer<T> done) {
    if (OwnKeys.isOwn(key)) {
      done.accept(change.outcome(Status.NOT_STORED, 0));
      return;
    }
    objects.change(
        key, change, (written, cas) -> done.accept(change.outcome(status(written), cas)));
  }

  @Override
  public void statistics(String group, Consumer<Map<String, Long>> done) {
    shard.askServers(
        group,
        servers -> {
          servers.computeIfPresent(SummedStatistics.ITEMS, (name, items) -> objects.size());
          servers.computeIfPresent(
              SummedStatistics.EVICTIONS,
              (name, none) -> shard.statistics().evictedObjects().sum());
          done.accept(servers);
        });
  }

  @Override
  public void flushAll(int delaySeconds, Consumer<WriteOutcome> done) {
    if (delayedFlush.isNow(delaySeconds, () -> shard.clear(written -> {}))) {
      shard.clear(written -> done.accept(new WriteOutcome(status(written), 0)));
    } else {
      done.accept(new WriteOutcome(Status.DONE, 0));
    }
  }

  private static Status status(Written written) {
    return switch (written) {
      case DONE -> Status.DONE;
      case NO_MEMORY -> Status.OUT_OF_MEMORY;
      case UNAVAILABLE -> Status.UNAVAILABLE;
    };
  }
}
