/**
 * Which proxy may write to a server: the mark that each server carries, how a proxy judges the mark
 * it finds, and the lease for which its judgement holds. In: marks as text. Out: verdicts. No
 * sockets, no threads, no files but those that name this machine. The rules are in
 * docs/MEMORY-TIER-INTERNALS.md, "Ownership".
 */
@NullMarked
package io.counterpart.cache.ownership;

import org.jspecify.annotations.NullMarked;
