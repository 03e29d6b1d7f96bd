/**
 * A run on disk: its directory, and the one file that bundles the directory.
 *
 * <p>In: a result, or a path to one. Out: files, or a verified result. Must not be here: clusters,
 * printing, the meaning of results.
 */
@NullMarked
package io.counterpart.lab.bundle;

import org.jspecify.annotations.NullMarked;
