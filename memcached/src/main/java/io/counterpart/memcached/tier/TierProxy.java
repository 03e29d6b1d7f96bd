package io.counterpart.memcached.tier;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.counterpart.process.ProcessIdentity;
import org.jspecify.annotations.Nullable;

/**
 * One proxy of a tier.
 *
 * @param number from 0
 * @param process the last one; null if there was none
 */
public record TierProxy(int number, @Nullable ProcessIdentity process) {

  /** Whether that very process runs. */
  @JsonIgnore
  public boolean isAlive() {
    return process != null && process.isAlive();
  }

  /** Process id of the running or last one; 0 if there was none. */
  @JsonIgnore
  public long pid() {
    return process == null ? 0 : process.pid();
  }
}
