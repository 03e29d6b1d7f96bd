/**
 * Operations as the meta commands that have a memcached server, or a proxy, carry them out. In:
 * operations; out: commands, and what their answers tell of an object. Whom they go to must not be
 * here.
 */
@NullMarked
package io.counterpart.cache.tier.meta;

import org.jspecify.annotations.NullMarked;
