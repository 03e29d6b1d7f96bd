/**
 * {@code counterpart simulate}: from options to a {@link io.counterpart.core.simulator.Simulation},
 * from its costs to a table or JSON; {@code simulate selection} likewise with a {@link
 * io.counterpart.core.selection.simulator.SelectionSimulation}. No modelling here.
 */
@NullMarked
package io.counterpart.cli.simulate;

import org.jspecify.annotations.NullMarked;
