package io.counterpart.lab.result;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads the result of a run from its file, and says what is wrong with one that cannot be read. */
public final class LabResultFile {
  private LabResultFile() {}

  /**
   * The result in a file.
   *
   * @throws IllegalArgumentException if there is no such file, it holds something else, or its
   *     schema is not {@value LabResult#SCHEMA}; the message names the file
   * @throws IOException if it cannot be read
   */
  public static LabResult read(Path file) throws IOException {
    if (!Files.isRegularFile(file)) {
      throw new IllegalArgumentException(file + ": no such file; lab run writes one");
    }
    ResultJson json = new ResultJson();
    try {
      // first of all the schema: a later one may have other types
      Object schema = json.read(file, Map.class).get("schema");
      if (!(schema instanceof Integer)) {
        throw notAResult(file, "it has no schema number", null);
      }
      if (!schema.equals(LabResult.SCHEMA)) {
        throw new IllegalArgumentException(
            "%s: has schema %s; this version reads schema %d"
                .formatted(file, schema, LabResult.SCHEMA));
      }
      LabResult result = json.read(file, LabResult.class);
      if (Stream.of(
              result.experiment(),
              result.paper(),
              result.title(),
              result.scale(),
              result.config(),
              result.blocks(),
              result.samples(),
              result.figures())
          .anyMatch(Objects::isNull)) {
        throw notAResult(file, "experiment, config, blocks, samples or figures are missing", null);
      }
      return result;
    } catch (JsonProcessingException e) {
      throw notAResult(file, e.getOriginalMessage(), e);
    }
  }

  private static IllegalArgumentException notAResult(
      Path file, String why, @Nullable Exception cause) {
    return new IllegalArgumentException(
        "%s: is no result of lab run: %s".formatted(file, why), cause);
  }
}
