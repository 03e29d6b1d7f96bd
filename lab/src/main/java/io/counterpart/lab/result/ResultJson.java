package io.counterpart.lab.result;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/** Writes results as JSON and reads them back. Thread-safe. */
public final class ResultJson {
  private final ObjectMapper mapper =
      new ObjectMapper()
          .enable(SerializationFeature.INDENT_OUTPUT)
          // "clean" and the like are derived, not components
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);

  private final ObjectMapper withoutDefaults =
      mapper
          .copy()
          .setDefaultPropertyInclusion(
              JsonInclude.Value.construct(
                  JsonInclude.Include.NON_DEFAULT, JsonInclude.Include.ALWAYS));

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
    byte[] text = (render(result) + "\n").getBytes(StandardCharsets.UTF_8);
    WholeFile.write(file, out -> out.write(text));
  }

  /**
   * Writes what documents quote of a result, a line for each block and figure; zeros and empty
   * parts are left out.
   */
  public void publish(Path file, LabResult result) throws IOException {
    StringBuilder text = new StringBuilder();
    for (Map.Entry<String, JsonNode> part :
        withoutDefaults.<JsonNode>valueToTree(result.published()).properties()) {
      text.append(text.isEmpty() ? "{\n" : ",\n");
      text.append('"').append(part.getKey()).append("\": ").append(lines(part.getValue()));
    }
    byte[] bytes = text.append("\n}\n").toString().getBytes(StandardCharsets.UTF_8);
    WholeFile.write(file, out -> out.write(bytes));
  }

  /** An array with a line for each element; anything else on one line. */
  private static String lines(JsonNode part) {
    return part.isArray()
        ? StreamSupport.stream(part.spliterator(), false)
            .map(JsonNode::toString)
            .collect(Collectors.joining(",\n", "[\n", "]"))
        : part.toString();
  }

  /** Reads a result of the given type. */
  public <T> T read(Path file, Class<T> type) throws IOException {
    return mapper.readValue(file.toFile(), type);
  }

  /** Reads a result of the given type from JSON text in UTF-8. */
  public <T> T parse(byte[] text, Class<T> type) throws IOException {
    T value = mapper.readValue(text, type);
    if (value == null) {
      throw MismatchedInputException.from((JsonParser) null, type, "JSON's null is no value");
    }
    return value;
  }
}
