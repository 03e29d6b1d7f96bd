package io.counterpart.cache.protocol;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;

/** Meta commands on a {@link ToyStore}, with memcached's order of effects and its oddities. */
final class ToyMeta {

  private final ToyStore store;
  private final ByteBuf out;

  ToyMeta(ToyStore store, ByteBuf out) {
    this.store = store;
    this.out = out;
  }

  void get(Request.MetaGet request) {
    MetaFlags flags = request.flags();
    Key key = request.key();
    ToyItem item = store.find(key);
    boolean created = item == null && flags.has('N');
    if (created) {
      item = new ToyItem(0, 0, new byte[0]);
      store.link(key, item);
    }
    if (item == null) {
      if (!flags.quiet()) {
        MetaResponseWriter.status(out, MetaStatus.EN, key, flags);
      }
      return;
    }
    long shownExpiry = item.expiresAtSeconds;
    boolean won = false;
    for (int i = 0; i < flags.count(); i++) {
      switch (flags.at(i)) {
        case 'T' -> item.expiresAtSeconds = store.expiry(flags.exptime());
        case 'N' -> {
          if (created) {
            item.expiresAtSeconds = store.expiry(flags.vivifyExptime());
            won = true;
          }
        }
        case 'R' -> won |= !created && isDue(item, flags);
        case 't' -> shownExpiry = item.expiresAtSeconds;
        default -> {}
      }
    }
    boolean fetchedBefore = item.fetched;
    item.fetched |= !flags.has('u');
    won |= item.stale && !item.tokenSent;
    write(key, flags, item, shownExpiry, won, fetchedBefore);
    item.tokenSent |= won;
  }

  private boolean isDue(ToyItem item, MetaFlags flags) {
    return !item.tokenSent
        && item.expiresAtSeconds != 0
        && item.expiresAtSeconds < store.expiry(flags.recacheExptime());
  }

  private void write(
      Key key, MetaFlags flags, ToyItem item, long expiry, boolean won, boolean fetched) {
    MetaItem shown =
        new MetaItem(
            item.value.length,
            item.flags,
            item.cas,
            ttl(expiry),
            0,
            fetched,
            item.binaryKey,
            won,
            item.stale,
            item.tokenSent);
    MetaResponseWriter.found(out, key, flags, shown, Unpooled.wrappedBuffer(item.value));
  }

  private long ttl(long expiresAtSeconds) {
    return expiresAtSeconds == 0 ? -1 : (expiresAtSeconds - store.nowSeconds()) & 0xffffffffL;
  }

  void set(Request.MetaSet request) {
    MetaFlags flags = request.flags();
    byte[] value = ByteBufUtil.getBytes(request.value());
    ToyItem item = new ToyItem(flags.clientFlags(), store.expiry(flags.exptime()), value);
    item.binaryKey = flags.binaryKey();
    boolean marksStale = flags.has('I') && request.mode() == StoreMode.CAS;
    ToyStore.Outcome outcome =
        store.store(request.key(), item, request.mode(), flags.cas(), marksStale);
    if (outcome == ToyStore.Outcome.STORED && flags.quiet()) {
      return;
    }
    ToyItem stored = outcome == ToyStore.Outcome.STORED ? store.find(request.key()) : null;
    // an item that is born dead has its CAS value all the same
    long cas = outcome != ToyStore.Outcome.STORED ? 0 : stored == null ? item.cas : stored.cas;
    MetaResponseWriter.stored(
        out,
        switch (outcome) {
          case STORED -> MetaStatus.HD;
          case NOT_STORED -> MetaStatus.NS;
          case EXISTS -> MetaStatus.EX;
          case NOT_FOUND -> MetaStatus.NF;
        },
        request.key(),
        flags,
        cas);
  }

  void delete(Request.MetaDelete request) {
    MetaFlags flags = request.flags();
    Key key = request.key();
    ToyItem item = store.find(key);
    if (item == null) {
      MetaResponseWriter.status(out, MetaStatus.NF, key, flags);
    } else if (flags.has('C') && flags.cas() != item.cas) {
      MetaResponseWriter.status(out, MetaStatus.EX, key, flags);
    } else {
      forget(key, item, flags);
      if (!flags.quiet()) {
        MetaResponseWriter.status(out, MetaStatus.HD, key, flags);
      }
    }
  }

  private void forget(Key key, ToyItem item, MetaFlags flags) {
    if (!flags.has('I')) {
      store.remove(key);
      return;
    }
    if (flags.has('T')) {
      item.expiresAtSeconds = store.expiry(flags.exptime());
    }
    item.stale = true;
    item.tokenSent = false;
    store.newCas(item);
  }

  void arithmetic(Request.MetaArithmetic request) {
    MetaFlags flags = request.flags();
    Key key = request.key();
    ToyItem item = store.find(key);
    if (item == null && !flags.has('N')) {
      MetaResponseWriter.status(out, MetaStatus.NF, key, flags);
    } else if (item == null) {
      String digits = Long.toUnsignedString(flags.initial());
      ToyItem made = new ToyItem(0, 0, digits.getBytes(ISO_8859_1));
      store.link(key, made);
      number(key, flags, made, true, flags.initial());
    } else {
      change(key, flags, item, request.increments());
    }
  }

  private void change(Key key, MetaFlags flags, ToyItem item, boolean increments) {
    if (item.value.length > 0 && flags.cas() != 0 && flags.cas() != item.cas) {
      MetaResponseWriter.status(out, MetaStatus.EX, key, flags);
      return;
    }
    Long sum = store.add(key, item, increments, flags.delta());
    if (sum == null) {
      Answer.NOT_A_NUMBER.writeTo(out);
    } else {
      number(key, flags, item, false, sum);
    }
  }

  private void number(Key key, MetaFlags flags, ToyItem item, boolean created, long number) {
    long shownExpiry = item.expiresAtSeconds;
    for (int i = 0; i < flags.count(); i++) {
      switch (flags.at(i)) {
        case 'T' -> item.expiresAtSeconds = store.expiry(flags.exptime());
        case 'N' -> {
          if (created) {
            item.expiresAtSeconds = store.expiry(flags.vivifyExptime());
          }
        }
        case 't' -> shownExpiry = item.expiresAtSeconds;
        default -> {}
      }
    }
    if (created || !flags.quiet()) {
      MetaResponseWriter.number(out, key, flags, number, item.cas, ttl(shownExpiry));
    }
  }

  void debug(Request.MetaDebug request) {
    ToyItem item = store.find(request.key());
    if (item == null) {
      MetaResponseWriter.debugMiss(out);
      return;
    }
    String facts =
        "exp="
            + (item.expiresAtSeconds == 0 ? -1 : store.nowSeconds() - item.expiresAtSeconds)
            + " la=0 cas="
            + item.cas
            + " fetch="
            + (item.fetched ? "yes" : "no")
            + " cls=1 size="
            + sizeBytes(request.key(), item);
    MetaResponseWriter.debug(out, request.key(), item.binaryKey, facts);
  }

  /**
   * An item's size as memcached counts it: its header, the CAS value, key and value with their
   * ends, flags.
   */
  private static int sizeBytes(Key key, ToyItem item) {
    return 48 + 8 + key.lengthBytes() + 1 + (item.flags == 0 ? 0 : 4) + item.value.length + 2;
  }
}
