/**
 * Decides which proxy may write to a server: the mark that each server carries, the verdict on a
 * mark that is found, and the lease for which the verdict holds. In: marks as text. Out: verdicts.
 * No sockets, no threads, no files but those that identify this machine. The rules are in
 * docs/MEMORY-TIER-INTERNALS.md, "Ownership".
 */
@NullMarked
package io.counterpart.cache.ownership;

import org.jspecify.annotations.NullMarked;
