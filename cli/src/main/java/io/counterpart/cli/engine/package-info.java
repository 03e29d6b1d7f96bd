/**
 * {@code counterpart engine}: tables and their storage engines.
 *
 * <p>In: options. Out: advice, changes of tables' schemas, lines of progress. Not here: the rules,
 * and what nodes do.
 */
@NullMarked
package io.counterpart.cli.engine;

import org.jspecify.annotations.NullMarked;
