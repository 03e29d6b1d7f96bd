/**
 * Operations as meta commands, for a memcached server or another proxy to carry out. In:
 * operations; out: commands, and the state of objects in their answers. The choice of the recipient
 * must not be here.
 */
@NullMarked
package io.counterpart.cache.tier.meta;

import org.jspecify.annotations.NullMarked;
