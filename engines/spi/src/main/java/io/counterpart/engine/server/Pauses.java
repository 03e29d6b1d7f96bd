package io.counterpart.engine.server;

import java.util.function.BooleanSupplier;

/** Pauses of writers between attempts at a server that is away. */
public final class Pauses {
  private static final long QUESTION_MILLIS = 100;

  private Pauses() {}

  /**
   * Sleeps so long, or until nobody may wait any more.
   *
   * @param mayWait asked every 100 ms
   */
  public static void rest(long millis, BooleanSupplier mayWait) throws InterruptedException {
    for (long left = millis; left > 0 && mayWait.getAsBoolean(); left -= QUESTION_MILLIS) {
      Thread.sleep(Math.min(left, QUESTION_MILLIS));
    }
  }
}
