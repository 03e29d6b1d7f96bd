/**
 * {@code counterpart ring}: the replica sets and shares of a ring that runs. In: a cluster,
 * surveyed through {@code lab.remote}. Out: the balance that {@code core.placement} computes, as
 * tables, JSON and pictures. Nothing is changed.
 */
@NullMarked
package io.counterpart.cli.ring;

import org.jspecify.annotations.NullMarked;
