/** Which copies of a table belong in its store. */
@NullMarked
package io.counterpart.cassandra.engine.share;

import org.jspecify.annotations.NullMarked;
