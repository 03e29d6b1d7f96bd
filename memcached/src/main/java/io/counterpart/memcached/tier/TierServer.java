package io.counterpart.memcached.tier;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.counterpart.process.ProcessIdentity;
import org.jspecify.annotations.Nullable;

/**
 * One memcached server of a tier.
 *
 * @param port on 127.0.0.1; it keeps it over restarts
 * @param process the last one; null if there was none
 */
public record TierServer(int port, @Nullable ProcessIdentity process) {

  /** Whether that very process runs. */
  @JsonIgnore
  public boolean isAlive() {
    return process != null && process.isAlive();
  }
}
