package io.counterpart.baselines;

import io.counterpart.cache.coded.item.Padded;
import io.counterpart.cache.coded.item.Stored;
import io.counterpart.cache.coded.server.Items;
import io.counterpart.cache.coded.server.ServerLink;
import io.counterpart.cache.protocol.Key;
import io.netty.buffer.ByteBuf;
import java.util.function.Consumer;

/** The order in which a moving record is copied and deleted. */
enum RecordMove {
  /** Copied; the old server keeps it until its object has left the old stripe. */
  COPY {
    @Override
    void move(ServerLink old, ServerLink server, Key key, ByteBuf record, Consumer<Stored> done) {
      server.set(key, Items.inSlot(record), done);
    }

    @Override
    void dropOld(ServerLink old, Key key, Runnable done) {
      old.delete(key, done);
    }
  },

  /** Deleted, then written: it is on no server for a moment. Paper: ECHash §2.4, §4.3. */
  DELETE_FIRST {
    @Override
    void move(ServerLink old, ServerLink server, Key key, ByteBuf record, Consumer<Stored> done) {
      Padded item = Items.inSlot(record);
      record.retain();
      old.delete(
          key,
          () -> {
            server.set(key, item, done);
            record.release();
          });
    }

    @Override
    void dropOld(ServerLink old, Key key, Runnable done) {
      done.run();
    }
  };

  /**
   * Moves a record.
   *
   * @param record still the caller's
   */
  abstract void move(
      ServerLink old, ServerLink server, Key key, ByteBuf record, Consumer<Stored> done);

  /** Deletes what {@link #move} has left on the old server. */
  abstract void dropOld(ServerLink old, Key key, Runnable done);
}
