/**
 * The steps of a write that all changes share: record, journal entry, parity later; and moves of
 * objects between slots.
 */
@NullMarked
package io.counterpart.cache.coded.write;

import org.jspecify.annotations.NullMarked;
