/**
 * The time of nodes: the work of their threads during a block, by part.
 *
 * <p>In: nodes with JMX, and stacks that their Java Flight Recorder sampled. Out: seconds by part.
 * Must not be here: the choice of blocks, comparison, display.
 */
@NullMarked
package io.counterpart.lab.profile;

import org.jspecify.annotations.NullMarked;
