package io.counterpart.lab.bundle;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.counterpart.lab.result.BlockResult;
import io.counterpart.lab.result.LabResult;
import io.counterpart.lab.result.LatencySummary;
import io.counterpart.lab.result.ResultJson;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A run on disk: a bundle, a directory, or a result.json alone. Stateless. */
public final class StoredRun {
  private static final byte[] ZIP = "PK".getBytes(StandardCharsets.US_ASCII);

  private StoredRun() {}

  /** What tells a result of the lab from other JSON, and its layout from another. */
  private record Header(@Nullable Integer schema, @Nullable String experiment) {}

  /**
   * Reads a run and checks that it is whole.
   *
   * @throws UnreadableRunException saying what is wrong with the path or what it holds
   */
  public static LabResult read(Path path) throws UnreadableRunException {
    if (Files.isDirectory(path)) {
      Path file = path.resolve(ResultFolder.RESULT);
      if (!Files.isRegularFile(file)) {
        throw new UnreadableRunException(
            "%s: no folder of lab run: it has no %s".formatted(path, ResultFolder.RESULT));
      }
      return parse(file.toString(), bytes(file));
    }
    if (!Files.isRegularFile(path)) {
      throw new UnreadableRunException("%s: does not exist".formatted(path));
    }
    if (!isZip(path)) {
      return parse(path.toString(), bytes(path));
    }
    BundleReader.Content content = new BundleReader(path).read();
    LabResult result = parse(path + "!" + ResultFolder.RESULT, content.result());
    if (!content.manifest().describes(result)) {
      throw new UnreadableRunException(
          "%s: the bundle is damaged: its manifest is of another run than its result"
              .formatted(path));
    }
    return result;
  }

  private static boolean isZip(Path file) throws UnreadableRunException {
    try (InputStream in = Files.newInputStream(file)) {
      return Arrays.equals(in.readNBytes(ZIP.length), ZIP);
    } catch (IOException e) {
      throw unreadable(file, e);
    }
  }

  private static byte[] bytes(Path file) throws UnreadableRunException {
    try {
      return Files.readAllBytes(file);
    } catch (IOException e) {
      throw unreadable(file, e);
    }
  }

  private static UnreadableRunException unreadable(Path file, IOException cause) {
    return new UnreadableRunException("%s: cannot be read: %s".formatted(file, cause), cause);
  }

  private static LabResult parse(String source, byte[] text) throws UnreadableRunException {
    ResultJson json = new ResultJson();
    try {
      Header header = json.parse(text, Header.class);
      if (header.schema() == null || header.experiment() == null) {
        throw new UnreadableRunException(
            "%s: JSON, but no result of lab run: it has no schema and experiment"
                .formatted(source));
      }
      if (header.schema() != LabResult.SCHEMA) {
        throw new UnreadableRunException(
            "%s: result of schema %d: this Counterpart reads schema %d"
                .formatted(source, header.schema(), LabResult.SCHEMA));
      }
      LabResult result = json.parse(text, LabResult.class);
      check(result);
      return result;
    } catch (JsonProcessingException e) {
      throw new UnreadableRunException(
          "%s: neither a bundle nor a whole result.json: %s"
              .formatted(source, e.getOriginalMessage()),
          e);
    } catch (IllegalArgumentException e) {
      throw new UnreadableRunException(
          "%s: the result is damaged: %s".formatted(source, e.getMessage()), e);
    } catch (UnreadableRunException e) {
      throw e;
    } catch (IOException e) {
      throw new UnreadableRunException("%s: cannot be read: %s".formatted(source, e), e);
    }
  }

  /** JSON leaves out what it likes: what is absent would be met as null much later. */
  private static void check(LabResult result) {
    if (Stream.of(result.scale(), result.config(), result.blocks())
        .anyMatch(part -> part == null)) {
      throw new IllegalArgumentException("scale, config or blocks are missing");
    }
    result.blocks().forEach(StoredRun::check);
  }

  private static void check(BlockResult block) {
    if (block == null
        || block.phase() == null
        || block.arm() == null
        || block.latencies() == null
        || block.server() == null) {
      throw new IllegalArgumentException("a block lacks its phase, arm, latencies or server");
    }
    // a drain has no operations, and takes no time where nothing is due
    boolean possible =
        block.operations() == 0
            ? block.seconds() >= 0
            : block.operations() > 0 && block.seconds() > 0;
    if (!possible) {
      throw new IllegalArgumentException(
          "block %s %s %d: %d operations in %s s, neither may be negative"
              .formatted(
                  block.phase(), block.arm(), block.repeat(), block.operations(), block.seconds()));
    }
    block.latencies().values().forEach(LatencySummary::decode);
  }
}
