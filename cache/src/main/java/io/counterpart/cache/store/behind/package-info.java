/**
 * Write-behind: changes wait on the proxy's disk and in its memory, and only the last one of each
 * key is written to the persistent store. In: reads and writes of objects; out: the same, but
 * fewer. Changes not yet written survive a crash of the process.
 */
@NullMarked
package io.counterpart.cache.store.behind;

import org.jspecify.annotations.NullMarked;
