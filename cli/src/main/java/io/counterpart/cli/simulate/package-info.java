/**
 * {@code counterpart simulate}: options to a {@link io.counterpart.core.simulator.Simulation} and
 * its costs to a table or JSON. No modelling here.
 */
@NullMarked
package io.counterpart.cli.simulate;

import org.jspecify.annotations.NullMarked;
