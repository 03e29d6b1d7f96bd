/**
 * Files and directories that survive a loss of power, and have one process at a time. In: paths.
 * Out: durable names and contents. No state but the locks.
 */
@NullMarked
package io.counterpart.cache.metadata.disk;

import org.jspecify.annotations.NullMarked;
