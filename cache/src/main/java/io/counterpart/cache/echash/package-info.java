/**
 * The coded schemes for clients. In: commands; out: outcomes. Placement and redundancy of objects
 * are {@code cache.coded}'s.
 */
@NullMarked
package io.counterpart.cache.echash;

import org.jspecify.annotations.NullMarked;
