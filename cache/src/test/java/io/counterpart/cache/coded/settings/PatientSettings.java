package io.counterpart.cache.coded.settings;

import io.counterpart.cache.backend.ConnectionSettings;
import io.counterpart.cache.coding.CodeShape;
import io.counterpart.cache.ring.ServerId;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/** Settings whose limits a busy machine does not reach, with servers that nobody connects to. */
public final class PatientSettings {
  private static final Duration LIMIT = Duration.ofSeconds(20);

  private PatientSettings() {}

  public static CodedSettings of(Path directory) {
    List<ServerId> others =
        IntStream.range(0, 5).mapToObj(i -> new ServerId("localhost:" + (1 + i))).toList();
    return new CodedSettings(
        new CodeShape(5, 3),
        others,
        directory,
        1 << 20,
        LIMIT,
        new ConnectionSettings(LIMIT, LIMIT, LIMIT, LIMIT));
  }
}
