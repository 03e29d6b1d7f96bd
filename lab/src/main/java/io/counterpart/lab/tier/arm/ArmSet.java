package io.counterpart.lab.tier.arm;

import io.counterpart.lab.tier.client.TierShape;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The open arms of a stage. Not thread-safe. */
public final class ArmSet implements AutoCloseable {
  private final List<OpenArm> arms = new ArrayList<>();

  private ArmSet() {}

  /**
   * Opens arms, one after the other.
   *
   * @throws IOException if one cannot be opened; none is left open
   */
  public static ArmSet open(
      List<TierArm> arms, TierShape shape, int spares, Path directory, long seed)
      throws IOException {
    ArmSet set = new ArmSet();
    try {
      for (TierArm arm : arms) {
        set.arms.add(OpenArm.open(arm, shape, spares, directory.resolve(arm.name()), seed));
      }
      return set;
    } catch (IOException | RuntimeException | Error failure) {
      set.close();
      throw failure;
    }
  }

  public List<OpenArm> all() {
    return List.copyOf(arms);
  }

  /** The arms in turn: forwards at first, then backwards, so that neither is always the first. */
  public List<OpenArm> inTurn(int repeat) {
    List<OpenArm> turn = new ArrayList<>(arms);
    if (repeat % 2 == 1) {
      Collections.reverse(turn);
    }
    return turn;
  }

  @Override
  public void close() throws IOException {
    IOException first = null;
    for (OpenArm arm : arms) {
      try {
        arm.close();
      } catch (IOException e) {
        first = first == null ? e : first;
      }
    }
    if (first != null) {
      throw first;
    }
  }
}
