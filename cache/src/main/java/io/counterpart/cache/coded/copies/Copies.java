package io.counterpart.cache.coded.copies;

import io.counterpart.cache.backend.GuardedLoop;
import io.counterpart.cache.coded.server.CountingCopies;
import io.counterpart.cache.metadata.MetadataLog;
import io.counterpart.cache.metadata.copy.CopyPiece;
import io.counterpart.cache.metadata.copy.CopyPull;
import io.counterpart.cache.metadata.copy.CopySource;
import io.counterpart.cache.ownership.CopyMembership;
import io.counterpart.cache.ownership.CopySet;
import io.counterpart.cache.ownership.CopySettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The copies of this owner's log elsewhere. The owner begins to wait for a copy that is near the
 * end. Once the copy has all that was relied on without it, the servers' marks name it: it counts.
 * It is waited for until the marks have ceased to name it. Belongs to the shard's event loop.
 */
public final class Copies implements CopySource {
  private static final Logger logger = LoggerFactory.getLogger(Copies.class);
  private static final long LOOK_MILLIS = 50;

  private final @Nullable CopySettings settings;
  private final MetadataLog log;
  private final LogPieces pieces;
  private final GuardedLoop loop;
  private final CountingCopies counting;
  private final Map<Long, FollowingCopy> copies = new TreeMap<>();
  private final List<Waiting> waiting = new ArrayList<>();
  private Runnable advanced = () -> {};
  private BooleanSupplier isAwaited = () -> false;
  private Supplier<List<String>> connections = List::of;
  private BooleanSupplier isOwning = () -> true;
  private boolean answering;
  private boolean serving;
  private boolean isAlone;
  private boolean ended;

  /** Whether a new set is not in force yet. */
  private boolean changing;

  /** Position up to which the log was on this disk at the look before. */
  private long durableBefore = Long.MAX_VALUE;

  /** A pull that waits for bytes. */
  private record Waiting(CopyPull pull, Consumer<CopyPiece> answer, long sinceNanos) {}

  /**
   * @param settings null if the tier keeps no copies
   */
  public Copies(
      @Nullable CopySettings settings, MetadataLog log, GuardedLoop loop, CountingCopies counting) {
    this.settings = settings;
    this.log = log;
    this.pieces = new LogPieces(log);
    this.loop = loop;
    this.counting = counting;
  }

  /**
   * Sets what follows from the copies.
   *
   * @param onAdvance runs when {@link #durable} may have grown
   * @param awaited whether anything waits for that
   */
  public void with(Runnable onAdvance, BooleanSupplier awaited) {
    advanced = onAdvance;
    isAwaited = awaited;
  }

  /**
   * Sets what the servers tell.
   *
   * @param ports see {@link #connections}
   * @param owning see {@link #isOwner}
   */
  public void withServers(Supplier<List<String>> ports, BooleanSupplier owning) {
    connections = ports;
    isOwning = owning;
  }

  @Override
  public boolean isOwner() {
    return serving && !ended && isOwning.getAsBoolean();
  }

  /**
   * Makes this copy the only one that counts, until {@link #serve}: the others lack what a start
   * does, and while all servers are emptied they are told nothing, nor could marks let them go.
   *
   * @param done runs once that is in force
   */
  public void begin(Runnable done) {
    isAlone = true;
    if (settings == null) {
      done.run();
    } else if (!changing && (!serving || counting.isReaching())) {
      letGo(List.copyOf(copies.values()), done);
    } else if (!ended) {
      loop.schedule(() -> begin(done), LOOK_MILLIS, TimeUnit.MILLISECONDS);
    }
  }

  /** Lets other copies count from now on. */
  public void serve() {
    isAlone = false;
    if (settings != null && !serving) {
      serving = true;
      look();
    }
  }

  /** Position up to which all copies elsewhere that count have the log on their disks. */
  public long durable() {
    long least = Long.MAX_VALUE; // by a loop: each write asks
    for (FollowingCopy copy : copies.values()) {
      least = copy.isAwaited ? Math.min(least, copy.durable) : least;
    }
    return least;
  }

  /** Number of copies that count, this one included. */
  public int count() {
    return counting.own().ids().size();
  }

  @Override
  public void pull(CopyPull pull, Consumer<CopyPiece> answer) {
    if (ended || !serving) {
      return;
    }
    FollowingCopy copy = copies.computeIfAbsent(pull.copy(), FollowingCopy::new);
    copy.heardNanos = System.nanoTime();
    if (pull.durable() > copy.durable) {
      copy.durable = pull.durable();
      advanced.run();
    }
    if (pull.isFarewell()) {
      copy.leaves = () -> answer.accept(pieces.none());
      letGo(copy);
    } else {
      Waiting asked = new Waiting(pull, answer, copy.heardNanos);
      if (!answered(asked)) {
        waiting.add(asked);
      }
    }
  }

  @Override
  public OptionalInt checksum(int file, int lengthBytes) {
    return pieces.checksum(file, lengthBytes);
  }

  @Override
  public List<String> connections() {
    return connections.get();
  }

  /** Notes that the log has grown. */
  public void grown() {
    if (!waiting.isEmpty() && !answering) {
      answering = true;
      loop.execute(
          () -> {
            answering = false;
            waiting.removeIf(this::answered);
          });
    }
  }

  /** Answers a pull if there is something to tell, or it has waited long enough. */
  private boolean answered(Waiting asked) {
    if (ended) {
      return true;
    }
    if (!isOwner() || !counting.isReaching()) {
      return false; // another one may begin: it must not have what happens here from now on
    }
    CopyPiece piece = pieces.of(asked.pull(), counting.own().contains(asked.pull().copy()));
    boolean isOld =
        System.nanoTime() - asked.sinceNanos() > TimeUnit.MILLISECONDS.toNanos(LOOK_MILLIS);
    if (piece.isNews() || isOld) {
      asked.answer().accept(piece);
      return true;
    }
    return false;
  }

  private void look() {
    if (ended) {
      return;
    }
    waiting.removeIf(this::answered);
    counting.endIfInForce();
    long now = System.nanoTime();
    copies.values().removeIf(copy -> copy.isGone(now));
    change(now);
    loop.schedule(this::look, LOOK_MILLIS, TimeUnit.MILLISECONDS);
  }

  private void change(long now) {
    CopySettings kept = settings;
    if (changing || isAlone || kept == null || !counting.isReaching()) {
      return;
    }
    Optional<FollowingCopy> complete =
        copies.values().stream().filter(FollowingCopy::isComplete).findFirst();
    if (complete.isPresent()) {
      logger.info("the copy {} of the metadata counts", CopySet.name(complete.get().id));
      complete.get().isNamed = true;
      setCounting(List.of(), () -> {});
      return;
    }
    List<CopyMembership.Copy> seen =
        copies.values().stream()
            .map(copy -> copy.seen(now, isAwaited.getAsBoolean(), log.durable(), durableBefore))
            .toList();
    durableBefore = log.durable();
    CopyMembership.next(seen, kept.most())
        .ifPresent(
            change -> {
              FollowingCopy copy = Objects.requireNonNull(copies.get(change.id()));
              if (change.counts()) {
                copy.await(log.durable(), now);
              } else {
                drop(copy, now);
              }
            });
  }

  private void drop(FollowingCopy copy, long now) {
    logger.warn("the copy {} of the metadata is late, and counts no more", CopySet.name(copy.id));
    copy.dropped(now);
    if (copy.isNamed) {
      letGo(copy);
    } else {
      copy.isAwaited = false;
      advanced.run();
    }
  }

  /**
   * Ceases to wait for a copy, once the servers' marks name a set without it. A new set is needed
   * although none names the copy: it proves that this owner has not been overtaken.
   */
  private void letGo(FollowingCopy copy) {
    boolean isOver = ended || copies.get(copy.id) != copy; // nobody is to be told, or it was told
    if (!isOver && changing) {
      loop.schedule(() -> letGo(copy), LOOK_MILLIS, TimeUnit.MILLISECONDS);
    } else if (!isOver) {
      letGo(List.of(copy), () -> {});
    }
  }

  private void letGo(List<FollowingCopy> left, Runnable done) {
    setCounting(
        left,
        () -> {
          left.stream().filter(FollowingCopy::letGo).forEach(copy -> copies.remove(copy.id, copy));
          advanced.run();
          done.run();
        });
  }

  private void setCounting(List<FollowingCopy> without, Runnable done) {
    changing = true;
    TreeSet<Long> ids = new TreeSet<>();
    ids.add(Objects.requireNonNull(settings).self());
    copies.values().stream().filter(copy -> copy.isNamed).forEach(copy -> ids.add(copy.id));
    without.forEach(copy -> ids.remove(copy.id));
    counting.set(
        ids,
        () -> {
          changing = false;
          if (!ended) {
            done.run();
          }
        });
  }

  /** Answers nobody any more. */
  public void end() {
    ended = true;
    waiting.clear();
  }
}
