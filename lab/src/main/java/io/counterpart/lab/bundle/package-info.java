/**
 * A run on disk: its folder, and the one file that holds the whole folder.
 *
 * <p>In: a result, or a path to one. Out: files, or a result that was checked. Must not be here:
 * clusters, printing, what results mean.
 */
@NullMarked
package io.counterpart.lab.bundle;

import org.jspecify.annotations.NullMarked;
