package io.counterpart.lab.live;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.counterpart.lab.result.LatencySummary;

/** Events as server-sent events with JSON in them. Thread-safe. */
final class EventText {
  private final ObjectMapper mapper =
      new ObjectMapper().addMixIn(LatencySummary.class, WithoutHistogram.class);

  /** The page shows percentiles: the histogram behind them is kilobytes in each block. */
  @JsonIgnoreProperties("histogram")
  private interface WithoutHistogram {}

  /** One event; the JSON has no line ends, as the format demands. */
  byte[] of(EventLog.Event event) {
    try {
      return "event: %s\ndata: %s\n\n"
          .formatted(event.type(), mapper.writeValueAsString(event))
          .getBytes(UTF_8);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("not an event: " + event.type(), e);
    }
  }
}
