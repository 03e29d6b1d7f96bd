package io.counterpart.lab.tier.coding;

import io.counterpart.cache.coding.CodeShape;
import io.counterpart.cache.coding.CodingLibrary;
import io.counterpart.lab.result.BlockResult;
import io.counterpart.lab.result.Counters;
import io.counterpart.lab.result.SampledMeasure;
import io.counterpart.lab.tier.Repeats;
import io.counterpart.lab.tier.StageContext;
import io.counterpart.lab.tier.TierStage;
import io.counterpart.lab.tier.arm.BlockMeter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/**
 * Measures the speed of encoding: by the tier's coder, and by the same ISA-L called from a C
 * program compiled on the spot, one stripe a call and several. Without a C compiler that arm is
 * left out.
 *
 * @param name of the stage
 * @param codes one after the other
 * @param each time of a block, at least a millisecond
 */
public record CodingStage(
    String name, List<CodeShape> codes, Duration each, List<String> armNames, Repeats repeats)
    implements TierStage {
  /** The tier's coder: ISA-L through JNA, or Java where it is missing. */
  public static final String OURS = "tier";

  /** ISA-L from C. */
  public static final String IN_C = "isal_c";

  /** Stripes of a call: Reed–Solomon codes each byte by itself, so chunks may be end to end. */
  private static final int SEVERAL = 8;

  private static final double NANOS = 1e9;

  /** Checks every range. */
  public CodingStage {
    codes = List.copyOf(codes);
    armNames = List.copyOf(armNames);
    if (each.toMillis() < 1) {
      throw new IllegalArgumentException(
          "time of a block %s: must be 1 ms or more".formatted(each));
    }
  }

  /** Phase of a code's blocks with one stripe a call. */
  public static String phase(CodeShape code) {
    return "encode_%d_%d".formatted(code.n(), code.k());
  }

  /** Phase of a code's blocks with several stripes a call. */
  public static String severalPhase(CodeShape code) {
    return phase(code) + "_several";
  }

  @Override
  public TierStage withArms(List<String> names) {
    return new CodingStage(
        name, codes, each, armNames.stream().filter(names::contains).toList(), repeats);
  }

  @Override
  public int blocks() {
    return 2 * codes.size() * armNames.size() * repeats.measured();
  }

  @Override
  public void run(StageContext context) throws IOException {
    Path directory = Files.createDirectories(context.directory().resolve(name));
    List<CodingSpeed> arms = new ArrayList<>();
    if (armNames.contains(OURS)) {
      arms.add(new TierCoding(CodingLibrary.load()));
    }
    if (armNames.contains(IN_C)) {
      addC(context, directory, arms);
    }
    for (CodeShape code : codes) {
      run(context, arms, code, 1);
      run(context, arms, code, SEVERAL);
    }
  }

  private void run(StageContext context, List<CodingSpeed> arms, CodeShape code, int stripesInCall)
      throws IOException {
    for (int repeat = -repeats.warmUps(); repeat < repeats.measured(); repeat++) {
      List<CodingSpeed> turn = new ArrayList<>(arms);
      if (repeat % 2 != 0) {
        Collections.reverse(turn);
      }
      for (CodingSpeed arm : turn) {
        CodingSpeed.Encoded encoded = arm.encode(code, stripesInCall, each);
        if (repeat >= 0) {
          String phase = stripesInCall == 1 ? phase(code) : severalPhase(code);
          BlockResult block = block(arm.name(), phase, repeat, encoded, code);
          context.measured(block, Map.of(SampledMeasure.ENCODED_BYTES, block.bytesPerSecond()));
        }
      }
    }
  }

  private static void addC(StageContext context, Path directory, List<CodingSpeed> arms)
      throws IOException {
    try {
      arms.add(CodingInC.compile(directory));
      context.record().describe(Map.of("codingInC", "compiled at run time by cc -O2"));
    } catch (CodingInC.UnavailableException e) {
      String reason = String.valueOf(e.getMessage());
      context.progress().say("coding speed is not compared with C: " + reason);
      context.record().describe(Map.of("codingInC", "left out: " + reason));
    }
  }

  private static BlockResult block(
      String arm, String phase, int repeat, CodingSpeed.Encoded encoded, CodeShape code) {
    return new BlockResult(
            arm,
            phase,
            repeat,
            encoded.stripes(),
            0,
            encoded.nanos() / NANOS,
            Map.of(),
            BlockMeter.cost(Duration.ZERO))
        .withCounters(
            Map.of(Counters.BYTES, encoded.stripes() * code.k() * CodingSpeed.CHUNK_BYTES));
  }
}
