/**
 * {@code counterpart cql}: statements to a node through the Java driver, results as a table or
 * JSON.
 */
@NullMarked
package io.counterpart.cli.cql;

import org.jspecify.annotations.NullMarked;
