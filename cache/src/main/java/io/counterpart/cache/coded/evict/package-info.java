/** Room for new objects: compaction of sparse stripes, and eviction of objects that nobody uses. */
@NullMarked
package io.counterpart.cache.coded.evict;

import org.jspecify.annotations.NullMarked;
