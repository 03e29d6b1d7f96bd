package io.counterpart.cache.forward;

import io.counterpart.cache.backend.ConnectionSecurity;
import io.netty.channel.EventLoop;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/** Follows an owner also where the machine is too busy for an answer within a second. */
public final class PatientFollower {
  private static final int MOST_GREETINGS = 10;

  private PatientFollower() {}

  /**
   * Greets the owner until it answers.
   *
   * @param number a later call's must be higher
   * @throws ExecutionException if ten greetings fail, the last one's
   */
  public static OwnerConnection follow(
      OwnerAddress owner,
      long self,
      int number,
      EventLoop loop,
      FailoverTier users,
      ForwardStatistics statistics)
      throws Exception {
    for (int greeting = 1; ; greeting++) {
      try {
        return OwnerConnection.open(
                owner,
                new OwnershipSecret.Greeting(self, number * MOST_GREETINGS + greeting),
                loop,
                users,
                statistics,
                ConnectionSecurity.NONE)
            .get(40, TimeUnit.SECONDS);
      } catch (ExecutionException late) {
        if (greeting == MOST_GREETINGS) {
          throw late;
        }
      }
    }
  }
}
