/**
 * Resource limits of processes, by Linux control groups of version 1 or 2.
 *
 * <p>In: process ids and limits. Out: files below the control groups' mount point. Must not be
 * here: the purpose of the limits.
 */
@NullMarked
package io.counterpart.cluster.cgroup;

import org.jspecify.annotations.NullMarked;
