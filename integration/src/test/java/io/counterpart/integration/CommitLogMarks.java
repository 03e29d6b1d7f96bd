package io.counterpart.integration;

import static org.awaitility.Awaitility.await;

import io.counterpart.cluster.Node;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * The marks in a node's commit log: with periodic sync Cassandra marks the end of what it has
 * logged every 100 ms, or later on a busy machine, and replays no further than the last mark.
 *
 * <p>A segment begins with a version, an id, and a text with its length before it and a checksum
 * behind it. Then comes the first mark: the position of the next one and a checksum, both 0 until
 * there is a next one. The rest of a segment is 0.
 */
final class CommitLogMarks {
  private static final int VERSION_AND_ID_BYTES = 12;
  private static final int CHECKSUM_BYTES = 4;
  private static final int MARK_BYTES = 8;
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private CommitLogMarks() {}

  /** Until all that the log has by now is marked, and so what the node has acknowledged. */
  static void awaitAll(Node node) {
    for (Path segment : segments(node)) {
      long end = end(segment);
      await("the marks of " + segment)
          .atMost(LIMIT)
          .pollDelay(Duration.ZERO)
          .pollInterval(Duration.ofMillis(20))
          .until(() -> end <= marked(segment));
    }
  }

  private static List<Path> segments(Node node) {
    try (Stream<Path> files = Files.list(node.directory().resolve("commitlog"))) {
      return files.filter(file -> file.toString().endsWith(".log")).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Behind the last byte that was logged; 0 where all is marked. */
  private static long end(Path segment) {
    try (RandomAccessFile file = new RandomAccessFile(segment.toFile(), "r")) {
      long begin = lastMark(file) + MARK_BYTES;
      byte[] rest = new byte[(int) Math.max(0, file.length() - begin)];
      file.seek(begin);
      file.readFully(rest);
      for (int i = rest.length; i > 0; i--) {
        if (rest[i - 1] != 0) {
          return begin + i;
        }
      }
      return 0;
    } catch (FileNotFoundException flushed) {
      return 0;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static long marked(Path segment) {
    try (RandomAccessFile file = new RandomAccessFile(segment.toFile(), "r")) {
      return lastMark(file);
    } catch (FileNotFoundException flushed) {
      return Long.MAX_VALUE;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The position of the last mark; the length of a segment that is full. */
  private static long lastMark(RandomAccessFile file) throws IOException {
    if (file.length() < VERSION_AND_ID_BYTES + Short.BYTES) {
      return file.length();
    }
    file.seek(VERSION_AND_ID_BYTES);
    int textBytes = file.readUnsignedShort();
    long mark = VERSION_AND_ID_BYTES + Short.BYTES + textBytes + CHECKSUM_BYTES;
    while (mark + MARK_BYTES <= file.length()) {
      file.seek(mark);
      int next = file.readInt();
      int checksum = file.readInt();
      // the checksum is written last
      if (next <= mark || checksum == 0) {
        return mark;
      }
      mark = next;
    }
    return mark;
  }
}
