/**
 * Where the stores of a table are: folders, directories and marks beside them.
 *
 * <p>In: a table's folder, an engine and the number of a store. Out: which stores there are, which
 * of them a start may read, and the removal of the others. Not here: what is in a store.
 */
@NullMarked
package io.counterpart.cassandra.engine.store.files;

import org.jspecify.annotations.NullMarked;
