package io.counterpart.cache.coded;

import io.counterpart.cache.format.JournalEntry;
import io.counterpart.cache.format.JournalEntry.Kind;
import io.counterpart.cache.format.JournalFormat;
import io.counterpart.cache.metadata.JournalNumbers;
import io.counterpart.cache.metadata.MetadataLog;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * The journal of a shard on its servers: writes that parity does not hold yet. Entries for one
 * server that arrive before the next send form one item with its own number (group commit). Belongs
 * to the shard's event loop.
 */
final class Journal {
  private static final int NUMBERS_AT_ONCE = 4096;

  /** Numbers left below which more are taken, because they must be durable before use. */
  private static final int FEW_NUMBERS = NUMBERS_AT_ONCE / 2;

  /**
   * Numbers in use above which a restart would take long, because it asks every server for each.
   */
  private static final long MOST_NUMBERS = 64 << 10;

  private static final int MAX_ITEM_BYTES = 32 << 10;
  private static final int FIRST_ITEM_BYTES = 1 << 10;

  private final int shard;
  private final Metadata metadata;
  private final JournalFormat format = new JournalFormat();

  /** Groups that are not sent yet, by server. */
  private final Map<ServerLink, Group> waiting = new HashMap<>();

  /** Items that servers have, or may get, in the order of their numbers. */
  private final LinkedHashSet<JournalItem> items = new LinkedHashSet<>();

  /** The lowest number of an earlier process's items that the next start must read too. */
  private long kept = Long.MAX_VALUE;

  private long nextNumber;

  /** End of the numbers that are durable in the metadata. */
  private long durableEnd;

  private boolean takesNumbers;
  private long bytes;
  private long releasedBytes;

  /**
   * The outcome of an entry.
   *
   * @param items the items that hold it now
   * @param memoryShort whether a server had no memory for it
   */
  record Appended(List<JournalItem> items, boolean memoryShort) {}

  Journal(int shard, Metadata metadata) {
    this.shard = shard;
    this.metadata = metadata;
    this.nextNumber = metadata.log().journalNumbers().end();
    this.durableEnd = nextNumber;
  }

  /**
   * Writes an entry to the journals of these servers. If the disk is far behind, or if numbers run
   * out, it waits for the metadata, which bounds the backlog of the disk.
   */
  void append(List<ServerLink> servers, JournalEntry entry, Consumer<Appended> done) {
    takeNumbers();
    if (durableEnd - nextNumber < servers.size() || metadata.isBehind()) {
      metadata.whenDurable(() -> append(servers, entry, done));
      return;
    }
    Append append = new Append(servers.size(), done);
    for (ServerLink server : servers) {
      if (server.isUsable()) {
        add(server, entry, append);
      } else {
        server.missThen(() -> append.failed(false));
      }
    }
    if (servers.isEmpty()) {
      done.accept(new Appended(List.of(), false));
    }
  }

  private void add(ServerLink server, JournalEntry entry, Append append) {
    Group group = waiting.get(server);
    if (group == null) {
      Group begun = new Group(server, nextNumber++);
      waiting.put(server, begun);
      server.beforeFlush(begun::send);
      group = begun;
    }
    group.add(entry, append);
    if (group.isFull()) {
      group.send();
    }
  }

  /** Takes more numbers before they are needed. */
  private void takeNumbers() {
    if (takesNumbers || durableEnd - nextNumber >= FEW_NUMBERS) {
      return;
    }
    takesNumbers = true;
    long end = nextNumber + NUMBERS_AT_ONCE;
    metadata.setJournalNumbers(new JournalNumbers(firstNumber(), end));
    metadata.whenDurable(
        () -> {
          takesNumbers = false;
          durableEnd = end;
        });
  }

  /** The first number that an item has, or may still get. */
  private long firstNumber() {
    return Math.min(kept, items.isEmpty() ? nextNumber : items.iterator().next().number());
  }

  /** Makes the next start read an earlier process's items from a number on. */
  void keep(long number) {
    kept = number;
  }

  /** Cancels {@link #keep}: those items are gone. */
  void keepNone() {
    kept = Long.MAX_VALUE;
    long end = metadata.log().journalNumbers().end();
    metadata.setJournalNumbers(new JournalNumbers(firstNumber(), end));
  }

  /** Whether an item is so old that it alone makes a restart read too many numbers. */
  boolean isTooOld(JournalItem item) {
    return nextNumber - item.number() > MOST_NUMBERS;
  }

  /** Whether any item {@link #isTooOld}. */
  boolean hasTooOld() {
    return !items.isEmpty() && isTooOld(items.iterator().next());
  }

  private Stream<JournalItem> stored() {
    return items.stream().filter(JournalItem::isStored);
  }

  /** Releases an entry that is in parity, or void. */
  void release(List<JournalItem> held) {
    for (JournalItem item : held) {
      if (item.release() && items.remove(item)) { // otherwise all items were forgotten meanwhile
        bytes -= item.bytes();
        releasedBytes += item.bytes();
        item.server().memory().removeJournal(item.bytes());
        if (item.server().isUsable()) {
          item.server().delete(OwnKeys.journal(shard, item.number()), () -> {});
        }
      }
    }
  }

  /** Bytes on servers, all copies. */
  long bytes() {
    return bytes;
  }

  /** Bytes of all items that were released since the start. */
  long releasedBytes() {
    return releasedBytes;
  }

  /** The oldest items above a number, in the order of their numbers. */
  List<JournalItem> storedAfter(long number, int mostItems) {
    return stored().filter(item -> item.number() > number).limit(mostItems).toList();
  }

  /** Forgets all items, because the servers have lost them. */
  void clear() {
    kept = Long.MAX_VALUE;
    stored().forEach(item -> item.server().memory().removeJournal(item.bytes()));
    items.removeIf(JournalItem::isStored);
    bytes = 0;
  }

  /**
   * An entry that tells a restart of a stripe that the metadata may not know. It accompanies each
   * entry of such a stripe, and lives as long.
   */
  private JournalEntry openedEntry(int stripe) {
    MetadataLog log = metadata.log();
    ByteBuf shape =
        Unpooled.buffer(1 + Long.BYTES)
            .writeByte(log.stripes().slotClass(stripe))
            .writeLongLE(log.stripes().layout(stripe));
    return new JournalEntry(
        Kind.OPENED, stripe, 0, 0, log.openedAt(stripe), 0, shape, Unpooled.EMPTY_BUFFER);
  }

  /** The entries of one item. */
  private final class Group {
    private final ServerLink server;
    private final JournalItem item;
    private final ByteBuf entries = PooledByteBufAllocator.DEFAULT.directBuffer(FIRST_ITEM_BYTES);
    private final List<Append> appends = new ArrayList<>();
    private final List<Integer> stripes = new ArrayList<>();
    private final Set<Integer> opened = new HashSet<>();
    private boolean sent;
    private int entryBytes;
    private int length;

    Group(ServerLink server, long number) {
      this.server = server;
      this.item = new JournalItem(server, number);
      items.add(item);
    }

    void add(JournalEntry entry, Append append) {
      if (metadata.mayForget(entry.stripe()) && opened.add(entry.stripe())) {
        format.encode(openedEntry(entry.stripe()), entries);
      }
      format.encode(entry, entries);
      appends.add(append);
      stripes.add(entry.stripe());
    }

    boolean isFull() {
      return entries.readableBytes() >= MAX_ITEM_BYTES;
    }

    /** Sends the group once: when it is full, or when commands leave. */
    void send() {
      if (!sent) {
        sent = true;
        waiting.remove(server);
        entryBytes = entries.readableBytes();
        server.setJournal(
            OwnKeys.journal(shard, item.number()), entries, this::takeLength, this::stored);
        entries.release();
      }
    }

    /** Takes a length, anew at each sending, because another length may have room then. */
    private int takeLength() {
      length = server.memory().takeJournal(entryBytes);
      return length;
    }

    private void stored(Stored stored) {
      if (stored == Stored.DONE) {
        item.stored(length, stripes);
        bytes += length;
        server.memory().addJournal(length);
        appends.forEach(append -> append.stored(item));
      } else {
        items.remove(item);
        appends.forEach(append -> append.failed(stored == Stored.NO_MEMORY));
      }
    }
  }

  /** One entry on its way to several servers. */
  private static final class Append {
    private final List<JournalItem> items;
    private final Consumer<Appended> done;
    private int waiting;
    private boolean memoryShort;

    Append(int servers, Consumer<Appended> done) {
      this.items = new ArrayList<>(servers);
      this.done = done;
      this.waiting = servers;
    }

    void stored(JournalItem item) {
      items.add(item);
      oneLess();
    }

    void failed(boolean forLackOfMemory) {
      memoryShort |= forLackOfMemory;
      oneLess();
    }

    private void oneLess() {
      if (--waiting == 0) {
        done.accept(new Appended(items, memoryShort));
      }
    }
  }
}
