/**
 * A memory tier's operations for clients, under any scheme. In: operations on keys; out: their
 * outcomes. No wire format and no server here.
 */
@NullMarked
package io.counterpart.cache.tier;

import org.jspecify.annotations.NullMarked;
