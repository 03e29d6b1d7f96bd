package io.counterpart.cache.metadata.copy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A disk behind the kernel's cache, as Linux has it: a sync that fails says so once, and what it
 * should have written counts as written from then on.
 */
final class FaultyDisk implements GrowingFile.Opener {
  /** What is on the disk; the files themselves are the cache. */
  private final Map<Path, byte[]> disk = new HashMap<>();

  private final Map<Path, List<Write>> unsynced = new HashMap<>();

  /** Whether the next sync fails. */
  boolean isBroken;

  /** Whether files take no bytes. */
  boolean isFull;

  private record Write(int offset, byte[] bytes) {}

  @Override
  public FileChannel open(Path file) throws IOException {
    return new Channel(file, GrowingFile.Opener.real(file));
  }

  /** What a loss of power would leave of a file. */
  byte[] onDisk(Path file) {
    return disk.getOrDefault(file, new byte[0]);
  }

  private void written(Path file, long offset, byte[] bytes) {
    unsynced
        .computeIfAbsent(file, none -> new ArrayList<>())
        .add(new Write(Math.toIntExact(offset), bytes));
  }

  private void sync(Path file) throws IOException {
    List<Write> writes = unsynced.remove(file);
    if (isBroken) {
      isBroken = false;
      throw new IOException("Input/output error");
    }
    for (Write write : writes == null ? List.<Write>of() : writes) {
      byte[] old = onDisk(file);
      byte[] now = Arrays.copyOf(old, Math.max(old.length, write.offset + write.bytes.length));
      System.arraycopy(write.bytes, 0, now, write.offset, write.bytes.length);
      disk.put(file, now);
    }
  }

  private final class Channel extends FileChannel {
    private final Path file;
    private final FileChannel cached;

    Channel(Path file, FileChannel cached) {
      this.file = file;
      this.cached = cached;
    }

    @Override
    public int write(ByteBuffer from, long position) throws IOException {
      if (isFull) {
        throw new IOException("No space left on device");
      }
      byte[] bytes = new byte[from.remaining()];
      from.duplicate().get(bytes);
      int count = cached.write(from, position);
      written(file, position, Arrays.copyOf(bytes, count));
      return count;
    }

    @Override
    public void force(boolean metadata) throws IOException {
      sync(file);
    }

    @Override
    public int read(ByteBuffer into, long position) throws IOException {
      return cached.read(into, position);
    }

    @Override
    public int read(ByteBuffer into) throws IOException {
      return cached.read(into);
    }

    @Override
    public long size() throws IOException {
      return cached.size();
    }

    @Override
    public FileChannel truncate(long size) throws IOException {
      cached.truncate(size);
      return this;
    }

    @Override
    protected void implCloseChannel() throws IOException {
      cached.close();
    }

    @Override
    public long read(ByteBuffer[] into, int offset, int length) {
      throw new UnsupportedOperationException();
    }

    @Override
    public int write(ByteBuffer from) {
      throw new UnsupportedOperationException();
    }

    @Override
    public long write(ByteBuffer[] from, int offset, int length) {
      throw new UnsupportedOperationException();
    }

    @Override
    public long position() {
      throw new UnsupportedOperationException();
    }

    @Override
    public FileChannel position(long position) {
      throw new UnsupportedOperationException();
    }

    @Override
    public long transferTo(long position, long count, WritableByteChannel target) {
      throw new UnsupportedOperationException();
    }

    @Override
    public long transferFrom(ReadableByteChannel source, long position, long count) {
      throw new UnsupportedOperationException();
    }

    @Override
    public MappedByteBuffer map(MapMode mode, long position, long size) {
      throw new UnsupportedOperationException();
    }

    @Override
    public FileLock lock(long position, long size, boolean shared) {
      throw new UnsupportedOperationException();
    }

    @Override
    public FileLock tryLock(long position, long size, boolean shared) {
      throw new UnsupportedOperationException();
    }
  }
}
