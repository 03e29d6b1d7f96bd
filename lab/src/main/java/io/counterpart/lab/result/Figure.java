package io.counterpart.lab.result;

/**
 * One figure of merit against its aim.
 *
 * @param id stable name
 * @param measured median of the rounds' values; a ratio is taken within each round, then the median
 *     of the ratios
 * @param low smallest round
 * @param high largest round
 * @param paper what the paper or a first trial has, as text, or empty
 * @param reach the aim, as text
 * @param reached whether the median meets the aim and the conditions that the aim has
 * @param note the conditions' values, or why it is as it is; may be empty
 */
public record Figure(
    String id,
    double measured,
    double low,
    double high,
    String paper,
    String reach,
    boolean reached,
    String note) {}
