/**
 * Parity: folding of journal entries into it, and reads of objects and whole columns, degraded ones
 * included.
 */
@NullMarked
package io.counterpart.cache.coded.parity;

import org.jspecify.annotations.NullMarked;
