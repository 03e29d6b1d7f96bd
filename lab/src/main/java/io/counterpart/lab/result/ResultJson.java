package io.counterpart.lab.result;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Writes results as JSON and reads them back. Thread-safe. */
public final class ResultJson {
  private final ObjectMapper mapper =
      new ObjectMapper()
          .enable(SerializationFeature.INDENT_OUTPUT)
          // "clean" and the like are derived, not components
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);

  /** A result as text. */
  public String render(Object result) {
    try {
      return mapper.writeValueAsString(result);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("not a result: " + result.getClass().getName(), e);
    }
  }

  /** Writes a result in one step: a reader never sees half a file. */
  public void write(Path file, Object result) throws IOException {
    Path target = file.toAbsolutePath();
    Path directory = target.getParent();
    if (directory == null) {
      throw new IOException("not a file: " + file);
    }
    Files.createDirectories(directory);
    // beside its target and with the user's own permissions, which a temporary file has not
    Path draft = directory.resolve("." + target.getFileName() + ".part");
    Files.writeString(draft, render(result) + "\n");
    Files.move(draft, target, StandardCopyOption.REPLACE_EXISTING);
  }

  /** Reads a result of the given type. */
  public <T> T read(Path file, Class<T> type) throws IOException {
    return mapper.readValue(file.toFile(), type);
  }
}
