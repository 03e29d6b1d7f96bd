package io.counterpart.cache.protocol;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;

/** Classic commands on a {@link ToyStore}. */
final class ToyClassic {

  private final ToyStore store;
  private final ByteBuf out;

  ToyClassic(ToyStore store, ByteBuf out) {
    this.store = store;
    this.out = out;
  }

  void get(Request.Get request) {
    for (Key key : request.keys()) {
      ToyItem item = store.find(key);
      if (item == null) {
        continue;
      }
      item.fetched = true;
      if (request.touches()) {
        item.expiresAtSeconds = store.expiry(request.exptime());
      }
      ByteBuf value = Unpooled.wrappedBuffer(item.value);
      if (request.withCas()) {
        ResponseWriter.value(out, key, item.flags, item.cas, value);
      } else {
        ResponseWriter.value(out, key, item.flags, value);
      }
    }
    Answer.END.writeTo(out);
  }

  void store(Request.Store request) {
    byte[] value = ByteBufUtil.getBytes(request.value());
    ToyItem item = new ToyItem(request.flags(), store.expiry(request.exptime()), value);
    ToyStore.Outcome outcome =
        store.store(request.key(), item, request.mode(), request.cas(), false);
    answer(
        switch (outcome) {
          case STORED -> Answer.STORED;
          case NOT_STORED -> Answer.NOT_STORED;
          case EXISTS -> Answer.EXISTS;
          case NOT_FOUND -> Answer.NOT_FOUND;
        },
        request.noreply());
  }

  void delete(Request.Delete request) {
    boolean found = store.find(request.key()) != null;
    store.remove(request.key());
    answer(found ? Answer.DELETED : Answer.NOT_FOUND, request.noreply());
  }

  void arithmetic(Request.Arithmetic request) {
    ToyItem item = store.find(request.key());
    if (item == null) {
      answer(Answer.NOT_FOUND, request.noreply());
      return;
    }
    Long sum = store.add(request.key(), item, request.increments(), request.delta());
    if (sum == null) {
      answer(Answer.NOT_A_NUMBER, request.noreply());
    } else if (!request.noreply()) {
      ResponseWriter.number(out, sum);
    }
  }

  void touch(Request.Touch request) {
    ToyItem item = store.find(request.key());
    if (item != null) {
      item.fetched = true;
      item.expiresAtSeconds = store.expiry(request.exptime());
    }
    answer(item == null ? Answer.NOT_FOUND : Answer.TOUCHED, request.noreply());
  }

  void flush(Request.FlushAll request) {
    store.flush(request.delay());
    answer(Answer.OK, request.noreply());
  }

  void drop(Key key) {
    store.remove(key);
  }

  private void answer(Answer answer, boolean noreply) {
    if (!noreply) {
      answer.writeTo(out);
    }
  }
}
