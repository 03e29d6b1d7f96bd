/**
 * Steps on a shard's event loop: countdowns, gates, bounded loops over stripes, work in the
 * background. Knows neither servers nor stripes.
 */
@NullMarked
package io.counterpart.cache.coded.flow;

import org.jspecify.annotations.NullMarked;
