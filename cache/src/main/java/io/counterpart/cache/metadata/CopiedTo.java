package io.counterpart.cache.metadata;

import io.counterpart.cache.metadata.disk.DurableFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The file {@code copied} beside the log files of a copy: {@code position u64 | following u8 |
 * crc32c u32}, big-endian. Up to the position the log is the owner's, and on this disk. While the
 * copy follows, the file may lag behind it; after that, the log may go on with records of its own.
 * No state.
 */
public final class CopiedTo {
  private static final String FILE = "copied";
  private static final int CHECKSUM = Long.BYTES + 1;
  private static final int BYTES = CHECKSUM + Integer.BYTES;

  private CopiedTo() {}

  /** Content of the file. */
  private record Note(long position, boolean isFollowing) {}

  /** Notes that the log is on disk up to a position; durable on return. */
  public static void note(Path directory, long position) throws IOException {
    write(directory, new Note(position, true));
  }

  /** Position up to which a log is the one of an owner that it has followed last. */
  public static OptionalLong position(Path directory) throws IOException {
    Optional<Note> note = read(directory);
    return note.isPresent() ? OptionalLong.of(note.get().position()) : OptionalLong.empty();
  }

  /** The same, but only if the log has no records of its own. */
  static OptionalLong whileFollowing(Path directory) throws IOException {
    return read(directory).filter(Note::isFollowing).isPresent()
        ? position(directory)
        : OptionalLong.empty();
  }

  /** Notes that the log goes on with records of its own; durable on return. */
  static void endFollowing(Path directory) throws IOException {
    Optional<Note> note = read(directory);
    if (note.isPresent() && note.get().isFollowing()) {
      write(directory, new Note(note.get().position(), false));
    }
  }

  private static void write(Path directory, Note note) throws IOException {
    ByteBuffer bytes =
        ByteBuffer.allocate(BYTES)
            .putLong(note.position())
            .put((byte) (note.isFollowing() ? 1 : 0));
    bytes.putInt(DurableFiles.checksum(bytes, 0, CHECKSUM));
    DurableFiles.overwrite(directory.resolve(FILE), bytes.array());
  }

  private static Optional<Note> read(Path directory) throws IOException {
    Path file = directory.resolve(FILE);
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file));
    if (bytes.limit() != BYTES
        || bytes.getInt(CHECKSUM) != DurableFiles.checksum(bytes, 0, CHECKSUM)) {
      throw new DamagedLogException(file, 0, "no position of a copy");
    }
    return Optional.of(new Note(bytes.getLong(0), bytes.get(Long.BYTES) != 0));
  }
}
