/**
 * Stripes and their slots in memory and in the metadata: places, versions, gates, locks, coding of
 * columns. Servers must not be here.
 */
@NullMarked
package io.counterpart.cache.coded.stripe;

import org.jspecify.annotations.NullMarked;
