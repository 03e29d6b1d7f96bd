/** A shard's state as one record, and the slots that are free in it. */
@NullMarked
package io.counterpart.cache.coded.shard;

import org.jspecify.annotations.NullMarked;
