/**
 * The parts of a running proxy that exist because others may own its tier: the copy that follows,
 * turns at a takeover, answers that count only while this proxy owns the tier. Rules:
 * docs/MEMORY-TIER-MACHINES.md.
 */
@NullMarked
package io.counterpart.cache.service.peer;

import org.jspecify.annotations.NullMarked;
