/**
 * Which objects of an erasure-coded cache leave so that new ones fit. SIEVE decides, with two
 * changes that erasure codes ask for: memory is reclaimed by the stripe, as parity of a stripe
 * takes the same memory however few objects are left, and the objects that stay move together into
 * new stripes, as segments are merged in Segcache. In: stripes as they are opened and freed, and
 * counts of objects that stay. Out: the stripe to look at next, and the new stripes to make. Plain
 * JDK, no I/O, no clock.
 *
 * <p>Papers: SIEVE (Zhang et al., NSDI '24), Segcache (Yang et al., NSDI '21).
 */
@NullMarked
package io.counterpart.core.eviction;

import org.jspecify.annotations.NullMarked;
