/** What a shard is told: scheme, code, limits; and which servers are in which ring. No I/O. */
@NullMarked
package io.counterpart.cache.coded.settings;

import org.jspecify.annotations.NullMarked;
