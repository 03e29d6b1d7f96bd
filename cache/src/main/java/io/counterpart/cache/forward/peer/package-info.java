/**
 * Proxies of one tier on other machines: who of them owns it, and the copy of the owner's metadata
 * log here. In: addresses of the peers. Out: the owner's address, a copy that follows. Rules:
 * docs/MEMORY-TIER-MACHINES.md.
 */
@NullMarked
package io.counterpart.cache.forward.peer;

import org.jspecify.annotations.NullMarked;
