/**
 * Commands on nodes: start, stop, show, examine and equip them. In: options. Out: calls to {@code
 * cluster}, and results for {@code console}. Handles no process itself.
 */
@NullMarked
package io.counterpart.cli.nodes;

import org.jspecify.annotations.NullMarked;
