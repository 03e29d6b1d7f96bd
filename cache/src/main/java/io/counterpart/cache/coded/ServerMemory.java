package io.counterpart.cache.coded;

import io.counterpart.cache.backend.GuardedLoop;
import io.counterpart.cache.backend.ReplyHandler;
import io.counterpart.cache.backend.ServerConnection;
import io.counterpart.cache.backend.ServerLostException;
import io.counterpart.cache.protocol.server.ReplyStatus;
import io.counterpart.cache.protocol.server.ServerReply;
import io.counterpart.cache.protocol.server.ServerRequestWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A server's memory as the tier knows it: how much is free was asked some time ago, and what was
 * sent since is subtracted. Items that the server has no memory for are sent again, once a class of
 * item sizes that has memory to spare has given up a page. Belongs to the shard's event loop.
 */
final class ServerMemory {
  /** Pages that wait for whichever class needs one, since a refused item is gone for a moment. */
  private static final int POOL_PAGES = 2;

  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final int SHARE = 4;
  private static final long LEAST_CREDIT_BYTES = 64 << 10;
  private static final long UNKNOWN_LIMIT = 64 << 20;
  private static final long MOVE_MILLIS = 2;
  private static final long RELIEF_MILLIS = 25;
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final int FRUITLESS_LOOKS = 4;

  private final ServerConnection connection;
  private final GuardedLoop loop;
  private final long mostJournalBytes;
  private final BooleanSupplier isOwned;
  private final List<Runnable> looking = new ArrayList<>();
  private final List<Refused> refused = new ArrayList<>();
  private @Nullable SlabUse use;
  private long limitBytes;
  private MemoryBounds bounds;
  private LongSupplier owedBytes = () -> 0;
  private BooleanSupplier shortage = () -> false;
  private boolean asking;
  private boolean makingRoom;
  private int fruitlessLooks;
  private int rounds;
  private int movingClass = SlabUse.NONE;
  private int movingPages;
  private long movingNanos = System.nanoTime();
  private long journalBytes;
  private long credit;
  private long bytesUnderWay;
  private long spentBytes;
  private long spareBytes;
  private long lookedNanos;

  /** An item to be sent again. */
  private record Refused(Runnable again, Runnable giveUp, long sinceNanos) {}

  /**
   * @param mostJournalBytes bytes of journals, one copy, that a server has at most
   * @param isOwned whether the server may be changed now
   */
  ServerMemory(
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
   * Begins anew with a server that has joined.
   *
   * @param bytes its {@code -m}
   */
  void joined(long bytes) {
    limitBytes = bytes;
    bounds = MemoryBounds.of(bytes, mostJournalBytes);
    use = null;
    credit = 0;
    spareBytes = 0;
  }

  /**
   * Tells what only the shard knows.
   *
   * @param owed bytes that the server will get whatever comes
   * @param relief asked when it has no memory for an item, and can make none: begins to give some
   *     back, and tells whether that goes on
   */
  void with(LongSupplier owed, BooleanSupplier relief) {
    owedBytes = owed;
    shortage = relief;
  }

  MemoryBounds bounds() {
    return bounds;
  }

  /** Journals on the server became so much larger. */
  void addJournal(long bytes) {
    journalBytes += bytes;
  }

  /** Whether journals on the server are to be folded. */
  boolean isToBeFolded() {
    return journalBytes > bounds.foldBytes();
  }

  /** Whether writes of so many bytes are to wait until journals are folded. */
  boolean isCrowdedWith(long bytes) {
    return journalBytes + bytes > bounds.waitBytes();
  }

  /** Bytes that inserts may take, as the last look has it. */
  long spareBytes() {
    return spareBytes;
  }

  /** Bytes that may be sent before the next {@link #look}. */
  long credit() {
    return credit;
  }

  /**
   * Whether an item fits though there is no {@link #credit}: into a free chunk of its class, which
   * no other class can have. What is under way is taken to want chunks of the same class.
   */
  boolean hasChunk(long itemBytes) {
    SlabUse known = use;
    return itemBytes == 0
        || known != null && known.freeItems(itemBytes) * itemBytes > bytesUnderWay + spentBytes;
  }

  /** An insert of so many bytes begins; {@link #landed} is told its end. */
  void spend(long bytes) {
    credit -= bytes;
    spentBytes += bytes;
    bytesUnderWay += bytes;
  }

  /** An insert has ended: what it took is seen at the next look. */
  void landed(long bytes) {
    bytesUnderWay -= bytes;
  }

  /** Something may have changed since the last look. */
  void lookSoon() {
    lookedNanos = System.nanoTime() - LOOK_NANOS;
  }

  /** Whether another look may find memory: a full server is asked now and then. */
  boolean isWorthALook() {
    return use == null || spareBytes > 0 || System.nanoTime() - lookedNanos >= LOOK_NANOS;
  }

  /** Asks the server. */
  void look(Runnable done) {
    if (!connection.isOpen()) {
      done.run();
      return;
    }
    looking.add(done);
    if (asking) {
      return;
    }
    asking = true;
    SlabUse.Reader reader = new SlabUse.Reader();
    command(
            reply -> {
              if (reply == null) {
                looked();
              } else if (reply.status() == ReplyStatus.STAT) {
                reader.line(reply.text());
              } else {
                take(reader.read());
                looked();
              }
            })
        .stats("slabs");
  }

  private void looked() {
    asking = false;
    List<Runnable> waiting = List.copyOf(looking);
    looking.clear();
    waiting.forEach(Runnable::run);
  }

  private void take(SlabUse read) {
    use = read;
    lookedNanos = System.nanoTime();
    // what falls between the pages is seen at the next look: so not all of it at once
    spareBytes =
        read.freePages(limitBytes) * SlabUse.PAGE_BYTES
            + journalBytes
            - bounds.reserveBytes(read.freeJournalBytes())
            - owedBytes.getAsLong()
            - bytesUnderWay;
    long share = Math.max(spareBytes / SHARE, Math.min(spareBytes, LEAST_CREDIT_BYTES));
    credit = Math.max(0, share);
    spentBytes = 0;
    endMove(read);
    if (read.poolPages(limitBytes) < POOL_PAGES && !makingRoom) {
      movePage(read);
    }
  }

  /**
   * The server has no memory for an item.
   *
   * @param again sends it again
   * @param giveUp runs instead if there is no memory to be had
   * @param sinceNanos when it was refused first
   */
  void refused(Runnable again, Runnable giveUp, long sinceNanos) {
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
          boolean hasHope = hasRoom || shortage.getAsBoolean();
          fruitlessLooks = hasHope ? 0 : fruitlessLooks + 1;
          long millis = hasRoom ? MOVE_MILLIS : RELIEF_MILLIS;
          loop.schedule(this::sendAgain, millis, TimeUnit.MILLISECONDS);
        });
  }

  private void sendAgain() {
    makingRoom = false;
    boolean fruitless = fruitlessLooks >= FRUITLESS_LOOKS;
    fruitlessLooks = fruitless ? 0 : fruitlessLooks;
    List<Refused> waiting = List.copyOf(refused);
    refused.clear();
    for (Refused item : waiting) {
      boolean late = System.nanoTime() - item.sinceNanos() > PATIENCE_NANOS;
      (fruitless || late ? item.giveUp() : item.again()).run();
    }
    loop.schedule(this::endRounds, PATIENCE_NANOS, TimeUnit.NANOSECONDS);
  }

  private void endRounds() {
    if (refused.isEmpty() && !makingRoom) {
      rounds = 0;
    }
  }

  /**
   * The pool gets a page of the class that has most to spare: one at a time, as what a class can
   * spare is not known before the page is gone.
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
        .reassignSlab(donor);
  }

  private void endMove(SlabUse read) {
    boolean isGone = movingClass != SlabUse.NONE && read.pages(movingClass) < movingPages;
    if (isGone || System.nanoTime() - movingNanos > PATIENCE_NANOS) {
      movingClass = SlabUse.NONE;
    }
  }

  private ServerRequestWriter command(Answer answer) {
    return connection.command(
        new ReplyHandler() {
          @Override
          public void replied(ServerReply reply) {
            answer.accept(reply);
          }

          @Override
          public void lost(ServerLostException why) {
            answer.accept(null);
          }
        });
  }

  /** Takes an answer; null if the server was lost. */
  @FunctionalInterface
  private interface Answer {
    void accept(@Nullable ServerReply reply);
  }
}
