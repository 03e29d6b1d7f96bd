package io.counterpart.lab.profile;

import java.util.Map;

/** Records the work of nodes. */
public interface Profiler {
  /** Records nothing. */
  Profiler NONE = () -> Map::of;

  /** Begins a recording on all servers; one at a time. */
  Recording start();

  /** A recording that runs. */
  interface Recording {
    /** Ends it: seconds of all servers' threads together, by {@link Part#key()}. */
    Map<String, Double> stop();
  }
}
