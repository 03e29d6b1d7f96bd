/**
 * What a memory tier does for clients, whatever scheme keeps the objects. In: operations on keys;
 * out: their outcomes. No wire format and no server in here.
 */
@NullMarked
package io.counterpart.cache.tier;

import org.jspecify.annotations.NullMarked;
