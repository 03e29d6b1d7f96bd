package io.counterpart.lab.plan;

import java.util.List;

/** The definition of a figure of merit: the blocks' compared measure, and the value asked for. */
public sealed interface Aim {
  /** Stable name. */
  String id();

  /**
   * The throughput of one arm divided by that of another, pair by pair; at least so much.
   *
   * @param phase whose blocks
   * @param arm numerator
   * @param peer denominator
   * @param atLeast the ratio asked for
   * @param paper what the paper has, as text, or empty
   */
  record Throughput(String id, String phase, String arm, String peer, double atLeast, String paper)
      implements Aim {}

  /**
   * A measure of one arm divided by that of another, pair by pair.
   *
   * @param phases whose blocks, those of all phases together
   * @param arm numerator
   * @param peer denominator
   * @param paper what the paper has, as text, or empty
   */
  record Ratio(
      String id,
      List<String> phases,
      BlockMeasure measure,
      String arm,
      String peer,
      Bound asked,
      String paper)
      implements Aim {}

  /**
   * A measure of one arm as it is.
   *
   * @param phases whose blocks, those of all phases together
   * @param paper what the paper has, as text, or empty
   */
  record Median(
      String id, List<String> phases, BlockMeasure measure, String arm, Bound asked, String paper)
      implements Aim {}

  /**
   * Whether arms, in their order, write ever faster and read ever slower: 1 if so, else 0. A step
   * inside the noise is neither; the ends must differ.
   *
   * @param writes phase whose throughput rises
   * @param reads phase whose throughput falls
   * @param paper what the paper has, as text
   */
  record Monotone(String id, String writes, String reads, List<String> arms, String paper)
      implements Aim {
    /** Checks that there is an order. */
    public Monotone {
      arms = List.copyOf(arms);
      if (arms.size() < 2) {
        throw new IllegalArgumentException("arms %s: an order needs at least two".formatted(arms));
      }
    }
  }
}
