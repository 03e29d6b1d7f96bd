/**
 * Where the time of servers goes: what their threads do while a block runs, by part.
 *
 * <p>In: nodes with JMX, and stacks that their Java Flight Recorder sampled. Out: seconds by part.
 * Must not be here: which blocks are recorded, what is compared, how it is shown.
 */
@NullMarked
package io.counterpart.lab.profile;

import org.jspecify.annotations.NullMarked;
