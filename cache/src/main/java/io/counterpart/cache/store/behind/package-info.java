/**
 * Write-behind: changes are kept on the proxy's disk and in its memory, and written to a persistent
 * store later, the last one of each key. In: reads and writes of objects; out: the same, fewer.
 * What is not written yet is found again after a crash.
 */
@NullMarked
package io.counterpart.cache.store.behind;

import org.jspecify.annotations.NullMarked;
