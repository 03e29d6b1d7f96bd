package io.counterpart.cache.coded;

import io.counterpart.cache.backend.GuardedLoop;
import io.counterpart.cache.format.JournalEntry;
import io.counterpart.cache.format.JournalEntry.Kind;
import io.counterpart.cache.format.JournalFormat;
import io.counterpart.cache.metadata.MetadataLog;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Writes entries to the {@link Journal}. Each entry goes to n − k + 1 servers, which are the same
 * for all writes of the moment. Entries for one server that arrive before the next send form one
 * item (group commit). Belongs to the shard's event loop.
 */
final class JournalWriter {
  /** Time after which a server is late with an item. */
  private static final long LATE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private static final long WATCH_MILLIS = 25;

  /** Most bytes of several entries in one item, whose length is then the next power of two. */
  private static final int MOST_ITEM_BYTES = JournalItemSizes.padded(32 << 10);

  private static final int FIRST_ITEM_BYTES = 1 << 10;

  /** Size of an OPENED entry. */
  private static final int OPENED_BYTES = JournalFormat.HEADER_BYTES + 1 + Long.BYTES;

  private final Journal journal;
  private final Metadata metadata;
  private final LogServers servers;
  private final int copies;
  private final GuardedLoop loop;
  private final JournalFormat format = new JournalFormat();

  /** Groups that are not sent yet, by server. */
  private final Map<ServerLink, Group> waiting = new HashMap<>();

  /** Groups without an outcome, the oldest first. */
  private final LinkedHashSet<Group> groups = new LinkedHashSet<>();

  private boolean watching;
  private boolean ended;

  /**
   * The outcome of an entry.
   *
   * @param items the items that hold it now
   * @param memoryShort whether a server had no memory for it
   */
  record Appended(List<JournalItem> items, boolean memoryShort) {}

  /**
   * @param copies of each entry
   */
  JournalWriter(
      Journal journal, Metadata metadata, LogServers servers, int copies, GuardedLoop loop) {
    this.journal = journal;
    this.metadata = metadata;
    this.servers = servers;
    this.copies = copies;
    this.loop = loop;
  }

  /**
   * Writes an entry. If the disk is far behind, or if numbers run out, it waits for the metadata,
   * which bounds the backlog of the disk.
   */
  void append(JournalEntry entry, Consumer<Appended> done) {
    if (!journal.hasNumbers(copies) || metadata.isBehind()) {
      metadata.whenDurable(() -> append(entry, done));
      return;
    }
    List<ServerLink> chosen = servers.take(JournalFormat.bytes(entry));
    Append append = new Append(chosen.size(), done);
    for (ServerLink server : chosen) {
      if (server.isUsable()) {
        add(server, entry, append);
      } else {
        server.missThen(() -> append.failed(false));
      }
    }
  }

  private void add(ServerLink server, JournalEntry entry, Append append) {
    Group group = waiting.get(server);
    if (group != null && !group.hasRoomFor(entry)) {
      group.send();
      group = null;
    }
    if (group == null) {
      group = new Group(server);
      waiting.put(server, group);
      server.beforeFlush(group::send);
    }
    group.add(entry, append);
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

  /** Ends the search for late servers: groups under way get no answer any more. */
  void end() {
    ended = true;
    groups.clear();
  }

  /** Sends what servers are late with to others too. */
  private void watch() {
    watching = false;
    long now = System.nanoTime();
    for (Group group : List.copyOf(groups)) {
      if (group.isLate(now)) {
        group.sendElsewhere();
      }
    }
    watchSoon();
  }

  private void watchSoon() {
    if (!watching && !ended && !groups.isEmpty()) {
      watching = true;
      loop.schedule(this::watch, WATCH_MILLIS, TimeUnit.MILLISECONDS);
    }
  }

  /**
   * The entries of one item. If its server is late, another one gets the entries too, in an item of
   * its own; whichever comes first counts, and the other item is deleted.
   */
  private final class Group {
    private final ServerLink server;
    private final JournalItem item;
    private final long begunNanos = System.nanoTime();

    // on the heap: a server that is late may get no answer before the shard ends
    private final ByteBuf entries = Unpooled.buffer(FIRST_ITEM_BYTES);
    private final List<Append> appends = new ArrayList<>();
    private final List<Integer> stripes = new ArrayList<>();
    private final Set<Integer> opened = new HashSet<>();

    /** Rings that have a copy of any of the entries. */
    private long rings;

    private boolean sent;
    private boolean sentElsewhere;
    private int underWay;
    private boolean over;
    private boolean memoryShort;

    Group(ServerLink server) {
      this.server = server;
      this.item = journal.begin(server);
      groups.add(this);
      watchSoon();
    }

    void add(JournalEntry entry, Append append) {
      if (metadata.mayForget(entry.stripe()) && opened.add(entry.stripe())) {
        format.encode(openedEntry(entry.stripe()), entries);
      }
      format.encode(entry, entries);
      appends.add(append);
      stripes.add(entry.stripe());
      rings |= servers.rings();
    }

    boolean hasRoomFor(JournalEntry entry) {
      int more = JournalFormat.bytes(entry);
      return entries.readableBytes() + more + OPENED_BYTES <= MOST_ITEM_BYTES;
    }

    /** Sends the group once: when it has no room for the next entry, or when commands leave. */
    void send() {
      if (!sent) {
        sent = true;
        waiting.remove(server, this);
        new Copy(this, item).send();
      }
    }

    boolean isLate(long nowNanos) {
      return !sentElsewhere && nowNanos - begunNanos > LATE_NANOS;
    }

    /**
     * Sends the entries to a server of another ring than theirs, if there is one; to the late one
     * only if they have left already.
     */
    void sendElsewhere() {
      servers.late(server);
      ServerLink other = servers.substitute(rings);
      if (other == null || !journal.hasNumbers(1)) {
        return;
      }
      sentElsewhere = true;
      rings |= servers.ringBit(other);
      if (!sent) {
        sent = true;
        waiting.remove(server, this);
        journal.giveUp(item);
      }
      new Copy(this, journal.begin(other)).send();
    }

    private void stored(JournalItem copy, int length) {
      if (over) {
        journal.discard(copy);
        return;
      }
      end();
      journal.stored(copy, length, stripes);
      appends.forEach(append -> append.stored(copy));
    }

    private void failed(JournalItem copy, Stored why) {
      journal.giveUp(copy);
      servers.leave();
      memoryShort |= why == Stored.NO_MEMORY;
      if (!over && underWay == 0) {
        end();
        appends.forEach(append -> append.failed(memoryShort));
      }
    }

    private void end() {
      over = true;
      groups.remove(this);
    }
  }

  /** A group's entries on their way to one server. */
  private final class Copy {
    private final Group group;
    private final JournalItem item;
    private int length;

    Copy(Group group, JournalItem item) {
      this.group = group;
      this.item = item;
    }

    void send() {
      group.underWay++;
      item.server().setJournal(journal.key(item), group.entries, this::takeLength, this::ended);
    }

    /** Takes a length, anew at each sending, because another length may have room then. */
    private int takeLength() {
      if (length > 0) {
        servers.leave(); // the server has refused the item
      }
      length = item.server().memory().takeJournal(group.entries.readableBytes());
      return length;
    }

    private void ended(Stored stored) {
      group.underWay--;
      servers.answered(item.server());
      if (stored == Stored.DONE) {
        group.stored(item, length);
      } else {
        group.failed(item, stored);
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
