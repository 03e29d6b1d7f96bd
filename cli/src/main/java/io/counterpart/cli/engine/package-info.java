/**
 * {@code counterpart engine}: tables and their storage engines.
 *
 * <p>In: options. Out: changes of one table's schema, lines of progress. Not here: what nodes do.
 */
@NullMarked
package io.counterpart.cli.engine;

import org.jspecify.annotations.NullMarked;
