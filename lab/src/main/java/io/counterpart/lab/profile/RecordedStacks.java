package io.counterpart.lab.profile;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedStackTrace;
import jdk.jfr.consumer.RecordedThread;
import jdk.jfr.consumer.RecordingFile;

/** Reads the samples of a recording. Stateless. */
final class RecordedStacks {
  private static final String IN_JAVA = "jdk.ExecutionSample";
  private static final String IN_NATIVE = "jdk.NativeMethodSample";

  private RecordedStacks() {}

  /**
   * Counts all samples.
   *
   * @throws IOException if the file is no recording
   */
  static SampledTime read(Path file) throws IOException {
    SampledTime time = new SampledTime();
    try (RecordingFile recording = new RecordingFile(file)) {
      while (recording.hasMoreEvents()) {
        RecordedEvent event = recording.readEvent();
        String type = event.getEventType().getName();
        if (type.equals(IN_JAVA) || type.equals(IN_NATIVE)) {
          add(time, event, type.equals(IN_NATIVE));
        }
      }
    }
    return time;
  }

  private static void add(SampledTime time, RecordedEvent event, boolean inNative) {
    RecordedThread thread = event.getThread("sampledThread");
    long id = thread == null ? 0 : thread.getJavaThreadId();
    String name = thread == null || thread.getJavaName() == null ? "" : thread.getJavaName();
    RecordedStackTrace stack = event.getStackTrace();
    List<String> frames =
        stack == null
            ? List.of()
            : stack.getFrames().stream()
                .map(frame -> frame.getMethod())
                .map(method -> method.getType().getName() + "." + method.getName())
                .toList();
    if (inNative) {
      time.addNative(id, name, frames);
    } else {
      time.addJava(name, frames);
    }
  }
}
