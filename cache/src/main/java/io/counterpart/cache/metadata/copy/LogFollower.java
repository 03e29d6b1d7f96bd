package io.counterpart.cache.metadata.copy;

import io.counterpart.cache.metadata.LogPosition;
import java.io.IOException;
import java.util.Map;
import java.util.OptionalInt;

/**
 * Makes a copy follow its owner's log. What is here already is kept if its checksums are the
 * owner's. Before anything here is dropped, the owner has ceased to count on this copy. Not
 * thread-safe.
 */
public final class LogFollower {
  private final LogCopy copy;
  private final CopyOwner owner;

  /** The next byte of the log. */
  private int file;

  private int offset;

  /** The next byte of a checkpoint that counts for the owner; file 0 if none is under way. */
  private int checkpointFile;

  private int checkpointOffset;
  private boolean counts;
  private long id;

  /** A follower that has not begun. */
  public LogFollower(LogCopy copy, CopyOwner owner) throws IOException {
    this.copy = copy;
    this.id = copy.id();
    this.owner = owner;
  }

  /** Whether the owner waits for this copy, by its last answer. */
  public boolean counts() {
    return counts;
  }

  /** Keeps what the owner has too, or begins anew. */
  public void begin() throws IOException, InterruptedException {
    boolean isKept = copy.isWhole() && isOwners();
    if (!isKept && copy.isWhole() && copy.hasShorter()) {
      owner.pull(CopyPull.farewell(id));
      copy.shorten();
      id = copy.id();
      isKept = isOwners();
    }
    if (isKept) {
      copy.goOn();
    } else {
      beginAnew();
    }
    file = LogPosition.file(copy.end());
    offset = LogPosition.offset(copy.end());
  }

  private boolean isOwners() throws IOException, InterruptedException {
    for (Map.Entry<Integer, Integer> part : copy.files().entrySet()) {
      OptionalInt theirs = owner.checksum(part.getKey(), part.getValue());
      if (theirs.isEmpty() || theirs.getAsInt() != copy.checksum(part.getKey())) {
        return false;
      }
    }
    return !copy.files().isEmpty();
  }

  private void beginAnew() throws IOException, InterruptedException {
    CopyPiece answer = owner.pull(CopyPull.farewell(id));
    counts = false;
    copy.beginAnew(answer.start());
    id = copy.id();
    file = answer.start();
    offset = 0;
    checkpointFile = 0;
  }

  /** Takes the next piece, which is on disk then. */
  public void step() throws IOException, InterruptedException {
    CopyPiece piece =
        owner.pull(new CopyPull(id, copy.isWhole() ? copy.durable() : 0, file, offset));
    counts = piece.counts();
    if (piece.isMissing()) {
      beginAnew();
      return;
    }
    if (piece.bytes().length > 0) {
      copy.append(file, offset, piece.bytes());
      offset += piece.bytes().length;
    }
    if (piece.next() > 0) {
      file = piece.next();
      offset = 0;
    }
    copy.sync();
    if (!copy.isWhole()) {
      if (LogPosition.of(file, offset) >= piece.end()) {
        copy.complete();
      }
    } else if (piece.start() != copy.start()) {
      takeCheckpoint(piece.start());
    }
  }

  private void takeCheckpoint(int start) throws IOException, InterruptedException {
    if (checkpointFile == 0) {
      checkpointFile = start;
      checkpointOffset = 0;
    }
    CopyPiece piece =
        owner.pull(new CopyPull(id, copy.durable(), checkpointFile, checkpointOffset));
    if (piece.isMissing() || piece.start() != start) {
      checkpointFile = 0; // a later one counts by now
      return;
    }
    copy.appendCheckpoint(start, checkpointFile, checkpointOffset, piece.bytes());
    checkpointOffset += piece.bytes().length;
    if (piece.next() > 0 && copy.files().containsKey(piece.next())) {
      copy.endCheckpoint(piece.next());
      checkpointFile = 0;
    } else if (piece.next() > 0) {
      checkpointFile = piece.next();
      checkpointOffset = 0;
    }
  }
}
