package io.counterpart.lab.report;

import io.counterpart.lab.result.ArmFigures;
import io.counterpart.lab.result.DemoSummary;
import io.counterpart.lab.result.TierDemoSummary;
import io.counterpart.lab.setup.Arm;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The demonstration's result in sentences for a newcomer. */
public final class DemoConclusion {
  private DemoConclusion() {}

  /** Bytes, then speed and its price, then what was read back; parts left out are not mentioned. */
  public static List<String> of(DemoSummary summary) {
    List<String> sentences = new ArrayList<>();
    Map<String, ArmFigures> arms = summary.arms();
    @Nullable ArmFigures decoupled = arms.get(Arm.DECOUPLED_T4);
    @Nullable ArmFigures lcs = arms.get(Arm.LCS);
    @Nullable ArmFigures ucs = arms.get(Arm.UCS_T4);
    if (decoupled != null && lcs != null && ucs != null) {
      sentences.add(bytes(decoupled, lcs, ucs));
      sentences.add(speedAndPrice(decoupled, lcs, ucs));
    }
    sentences.add(readBack(summary));
    return sentences;
  }

  private static String bytes(ArmFigures decoupled, ArmFigures lcs, ArmFigures ucs) {
    return text(
        "Decoupled replicas compacted %s times the bytes of LCS and %s times those of UCS T4.",
        ratio(decoupled.bytesCompacted(), lcs.bytesCompacted()),
        ratio(decoupled.bytesCompacted(), ucs.bytesCompacted()));
  }

  private static String speedAndPrice(ArmFigures decoupled, ArmFigures lcs, ArmFigures ucs) {
    return text(
        "Compared with LCS, the load took %s times the CPU and ran %s times as fast, a wiped node"
            + " was restored in %s times the time, and %s times as many sstables remain (than under"
            + " UCS T4: %s times).",
        ratio(decoupled.cpuSeconds(), lcs.cpuSeconds()),
        ratio(decoupled.writeOpsPerSecond(), lcs.writeOpsPerSecond()),
        ratio(decoupled.recoverySeconds(), lcs.recoverySeconds()),
        ratio(decoupled.sstables(), lcs.sstables()),
        ratio(decoupled.sstables(), ucs.sstables()));
  }

  private static String readBack(DemoSummary summary) {
    List<String> events = new ArrayList<>();
    long checked = summary.checked();
    long lost = summary.lost();
    long wrong = summary.wrong();
    long unread = summary.unread();
    if (!summary.arms().isEmpty()) {
      events.add("a Cassandra node was wiped");
    }
    TierDemoSummary tier = summary.memoryTier();
    if (tier != null) {
      checked += tier.checked();
      lost += tier.lost();
      wrong += tier.wrong();
      unread += tier.unread();
      events.add(text("%d of %d memcached servers were killed", tier.killed(), tier.servers()));
    }
    if (checked == 0) {
      return "Nothing was checked.";
    }
    return text(
        "%,d values were compared byte by byte, also after %s: %d lost, %d wrong, %d unreadable.",
        checked, String.join(" and ", events), lost, wrong, unread);
  }

  /** Two significant digits; a dash where there is nothing to compare with. */
  static String ratio(double numerator, double denominator) {
    if (!(denominator > 0)) {
      return "–";
    }
    double ratio = numerator / denominator;
    return text(ratio < 0.995 ? "%.2f" : "%.1f", ratio);
  }

  private static String text(String format, Object... arguments) {
    return String.format(Locale.ROOT, format, arguments);
  }
}
