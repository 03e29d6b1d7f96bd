package io.counterpart.cache.coded.item;

import io.counterpart.cache.backend.GuardedLoop;
import io.counterpart.cache.backend.ReplyHandler;
import io.counterpart.cache.backend.ServerConnection;
import io.counterpart.cache.backend.StatsAnswer;
import io.counterpart.cache.protocol.server.ReplyStatus;
import io.counterpart.cache.protocol.server.ServerReply;
import io.counterpart.cache.protocol.server.ServerRequestWriter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The known state of a server's memory: the free memory at the last look, less the items sent
 * since, see {@link SlabRoom}. Items that the server refuses for lack of memory are sent again,
 * once a class of item sizes with memory to spare has given up a page. Belongs to the shard's event
 * loop.
 */
public final class ServerMemory {
  /**
   * Pages kept in the pool for any class that needs one, because a refused item is gone for a
   * moment.
   */
  private static final int POOL_PAGES = 2;

  /** Number of available pages from which looks are rare. */
  private static final int MANY_PAGES = 16;

  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final long ROOMY_LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long UNKNOWN_LIMIT = 64 << 20;
  private static final long MOVE_MILLIS = 2;
  private static final long RELIEF_MILLIS = 25;
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(2);

  /**
   * Time after which a page move counts as ended though its class has as many pages as before: the
   * class may have taken a page back. If it has not ended, memcached refuses another one.
   */
  private static final long MOST_MOVE_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

  private static final long END_ROUNDS_MILLIS = 1000;

  private final ServerConnection connection;
  private final GuardedLoop loop;
  private final long mostJournalBytes;
  private final BooleanSupplier isOwned;
  private final List<Runnable> looking = new ArrayList<>();
  private final List<Refused> refused = new ArrayList<>();

  /** Number of admitted items of inserts under way, by length. */
  private final Map<Long, Integer> underWay = new HashMap<>();

  /** Number of refused items that wait for memory, by length; without journal items. */
  private final Map<Long, Integer> owed = new HashMap<>();

  private @Nullable SlabUse use;
  private @Nullable SlabRoom room;
  private SlabSizes sizes = SlabSizes.DEFAULT;
  private long limitBytes;
  private MemoryBounds bounds;
  private Supplier<Map<Long, Integer>> owedItems = Map::of;
  private Runnable shortage = () -> {};
  private boolean asking;
  private boolean makingRoom;
  private int rounds;
  private int movingClass = SlabUse.NONE;
  private int movingPages;
  private long movingNanos = System.nanoTime();
  private long journalBytes;
  private boolean hasTaken;

  /** Whether the server was asked since it joined. */
  private boolean hasAsked;

  private long lookedNanos;

  /** An item to be sent again. */
  private record Refused(Runnable again, Runnable giveUp, long sinceNanos) {}

  /**
   * @param mostJournalBytes bytes of journals, one copy, that a server has at most
   * @param isOwned whether the server may be changed now
   */
  public ServerMemory(
      ServerConnection connection,
      GuardedLoop loop,
      long mostJournalBytes,
      BooleanSupplier isOwned) {
    this.connection = connection;
    this.loop = loop;
    this.mostJournalBytes = mostJournalBytes;
    this.isOwned = isOwned;
    this.limitBytes = UNKNOWN_LIMIT;
    this.bounds = MemoryBounds.of(limitBytes, mostJournalBytes);
  }

  /**
   * Resets the state for a server that has joined.
   *
   * @param bytes its {@code -m}
   * @param ofClasses the sizes of its classes
   */
  public void joined(long bytes, SlabSizes ofClasses) {
    limitBytes = bytes;
    sizes = ofClasses;
    bounds = MemoryBounds.of(bytes, mostJournalBytes);
    use = null;
    room = null;
    hasAsked = false;
  }

  /**
   * Sets what only the shard knows.
   *
   * @param owed number of items that the server will get in any case, by length
   * @param relief begins to free memory; called when the server has none for an item
   */
  public void with(Supplier<Map<Long, Integer>> owed, Runnable relief) {
    owedItems = owed;
    shortage = relief;
  }

  /** Length for a journal item with this number of entry bytes, which is written now. */
  public int takeJournal(int entryBytes) {
    SlabRoom known = room;
    if (known == null) {
      return JournalItemSizes.padded(entryBytes);
    }
    int length = JournalItemSizes.padded(entryBytes, known, this::reservePages);
    known.take(JournalItemSizes.itemBytes(length));
    known.owe(JournalItemSizes.itemBytes(length));
    return length;
  }

  /** Whether there may be memory for a journal item with this number of entry bytes. */
  public boolean mayHaveJournal(int entryBytes) {
    SlabRoom known = room;
    return known == null || JournalItemSizes.mayHold(entryBytes, known);
  }

  /**
   * Whether the server has memory for a journal item with this number of entry bytes, a free chunk
   * or a page without a class. Asks the server if nothing is known; until the answer it has none.
   */
  public boolean hasRoomForJournal(int entryBytes) {
    SlabRoom known = room;
    if (known == null && !asking && isForgotten()) {
      look(() -> {});
    }
    return known != null && JournalItemSizes.fits(entryBytes, known);
  }

  /** Bytes of journal items on the server. */
  public long journalBytes() {
    return journalBytes;
  }

  /** Adds a journal item of this length. */
  public void addJournal(int length) {
    journalBytes += length;
  }

  /** Removes a journal item of this length. */
  public void removeJournal(int length) {
    journalBytes -= length;
    SlabRoom known = room;
    if (known != null) {
      known.give(JournalItemSizes.itemBytes(length));
    }
  }

  private long reservePages(long freeJournalBytes) {
    return bounds.reservePages(journalBytes, freeJournalBytes);
  }

  /** Whether the server's journals should be folded. */
  public boolean isToBeFolded() {
    return journalBytes > bounds.foldBytes();
  }

  /** Whether a write of this size has to wait until journals are folded. */
  public boolean isCrowdedWith(long bytes) {
    return journalBytes + bytes > bounds.waitBytes();
  }

  /**
   * Whether an item may be inserted, as far as is known.
   *
   * @param shrinking whether it replaces a longer one: two pages of the reserve are for those
   */
  public boolean admits(long itemBytes, boolean shrinking) {
    SlabRoom known = room;
    if (known == null) {
      return false;
    }
    return shrinking
        ? known.admitsShorter(itemBytes, free -> reservePages(free) - MemoryBounds.SHRINKING_PAGES)
        : known.admits(itemBytes, this::reservePages);
  }

  /** Whether an update may write an item of another length, as far as is known. */
  public boolean admitsUpdate(long itemBytes) {
    SlabRoom known = room;
    return known != null && known.admitsUpdate(itemBytes);
  }

  /** Whether there may be memory for an item, whatever is kept for others. */
  public boolean mayHave(long itemBytes) {
    SlabRoom known = room;
    return known == null || known.mayHold(itemBytes);
  }

  /** Whether an item fits into the chunk of the one that it replaces. */
  public boolean isAlike(long itemBytes, long replacedBytes) {
    SlabRoom known = room;
    return known != null && known.isAlike(itemBytes, replacedBytes);
  }

  /** Notes that an item was admitted; {@link #landed} ends its insert. */
  public void spend(long itemBytes) {
    underWay.merge(itemBytes, 1, Integer::sum);
    hasTaken = true;
    SlabRoom known = room;
    if (known != null) {
      known.take(itemBytes);
    }
  }

  /** Notes a refused item: no other waiting item may take the memory that it needs. */
  public void owe(long itemBytes) {
    owed.merge(itemBytes, 1, Integer::sum);
    SlabRoom known = room;
    if (known != null) {
      known.owe(itemBytes);
    }
  }

  /** Ends {@link #owe}: the next look shows the memory that the item took. */
  public void settle(long itemBytes) {
    removeOne(owed, itemBytes);
  }

  /** Ends an insert: the next look shows the memory that it took. */
  public void landed(long itemBytes) {
    removeOne(underWay, itemBytes);
  }

  private static void removeOne(Map<Long, Integer> items, long itemBytes) {
    items.computeIfPresent(itemBytes, (length, count) -> count == 1 ? null : count - 1);
  }

  /** Makes the next look due, because the memory may have changed. */
  public void lookSoon() {
    lookedNanos = System.nanoTime() - ROOMY_LOOK_NANOS;
  }

  /** Whether the last look is so old that repair may have written much since. */
  public boolean isForgotten() {
    SlabRoom known = room;
    boolean isRoomy = known != null && known.pages() >= MANY_PAGES;
    long ageNanos = System.nanoTime() - lookedNanos;
    return !hasAsked || ageNanos >= (isRoomy ? ROOMY_LOOK_NANOS : LOOK_NANOS);
  }

  /** Whether another look may find memory: a full server is asked now and then. */
  public boolean isWorthALook() {
    return hasTaken || System.nanoTime() - lookedNanos >= LOOK_NANOS;
  }

  /** Asks the server for its use of memory. */
  public void look(Runnable done) {
    if (!connection.isOpen()) {
      done.run();
      return;
    }
    looking.add(done);
    if (asking) {
      return;
    }
    asking = true;
    StatsAnswer answer =
        new StatsAnswer(
            stats -> {
              take(stats.isEmpty() ? null : SlabUse.of(stats));
              looked();
            });
    connection.command(ReplyHandler.of(answer, why -> looked())).stats("slabs");
  }

  private void looked() {
    asking = false;
    List<Runnable> waiting = List.copyOf(looking);
    looking.clear();
    waiting.forEach(Runnable::run);
  }

  /**
   * Takes a server's answer. If the server gives none, the known state stays, and it is not asked
   * again at once.
   */
  private void take(@Nullable SlabUse read) {
    lookedNanos = System.nanoTime();
    hasTaken = false;
    hasAsked = true;
    if (read == null) {
      return;
    }
    use = read;
    SlabRoom told = new SlabRoom(sizes, read, limitBytes);
    // items under way may have been written already: they count twice until the next look
    each(underWay, told::take);
    each(owedItems.get(), told::take);
    each(owed, told::owe);
    room = told;
    endMove(read);
    if (read.poolPages(limitBytes) < POOL_PAGES && !makingRoom) {
      movePage(read);
    }
  }

  private static void each(Map<Long, Integer> items, LongConsumer body) {
    items.forEach(
        (length, count) -> {
          for (int i = 0; i < count; i++) {
            body.accept(length);
          }
        });
  }

  /**
   * Handles an item that the server refused for lack of memory.
   *
   * @param again sends it again
   * @param giveUp runs instead if no memory becomes free
   * @param sinceNanos time of the first refusal
   */
  public void refused(Runnable again, Runnable giveUp, long sinceNanos) {
    refused.add(new Refused(again, giveUp, sinceNanos));
    if (!makingRoom) {
      makeRoom();
    }
  }

  private void makeRoom() {
    makingRoom = true;
    look(
        () -> {
          SlabUse known = use;
          boolean hasRoom =
              known == null || known.poolPages(limitBytes) > 0 || known.donor() != SlabUse.NONE;
          if (known != null && known.poolPages(limitBytes) < POOL_PAGES + rounds) {
            movePage(known);
          }
          rounds++;
          if (!hasRoom) {
            shortage.run();
          }
          long millis = hasRoom ? MOVE_MILLIS : RELIEF_MILLIS;
          loop.schedule(this::sendAgain, millis, TimeUnit.MILLISECONDS);
        });
  }

  private void sendAgain() {
    makingRoom = false;
    List<Refused> waiting = List.copyOf(refused);
    refused.clear();
    for (Refused item : waiting) {
      boolean late = System.nanoTime() - item.sinceNanos() > PATIENCE_NANOS;
      (late ? item.giveUp() : item.again()).run();
    }
    loop.schedule(this::endRounds, END_ROUNDS_MILLIS, TimeUnit.MILLISECONDS);
  }

  private void endRounds() {
    if (refused.isEmpty() && !makingRoom) {
      rounds = 0;
    }
  }

  /**
   * Moves a page to the pool, from the class with most to spare. One page moves at a time, because
   * it shows what the class can spare only when it is gone.
   */
  private void movePage(SlabUse known) {
    int donor = known.donor();
    boolean mayMove = connection.isOpen() && isOwned.getAsBoolean();
    if (donor == SlabUse.NONE || movingClass != SlabUse.NONE || !mayMove) {
      return;
    }
    movingClass = donor;
    movingPages = known.pages(donor);
    movingNanos = System.nanoTime();
    command(
            reply -> {
              if (reply == null || reply.status() != ReplyStatus.OK) {
                movingClass = SlabUse.NONE;
              }
            })
        .operator("slabs reassign " + donor + " 0"); // to the pool that every class draws on
  }

  private void endMove(SlabUse read) {
    boolean isGone = movingClass != SlabUse.NONE && read.pages(movingClass) < movingPages;
    if (isGone || System.nanoTime() - movingNanos > MOST_MOVE_NANOS) {
      movingClass = SlabUse.NONE;
    }
  }

  /** Begins a command; {@code answered} gets null if the server is lost. */
  private ServerRequestWriter command(Consumer<@Nullable ServerReply> answered) {
    return connection.command(ReplyHandler.of(answered, why -> answered.accept(null)));
  }
}
