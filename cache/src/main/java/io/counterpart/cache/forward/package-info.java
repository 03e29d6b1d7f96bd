/**
 * Several proxies of one tier: one of them owns it, the others, its followers, forward to it. In: a
 * follower's operations; out: meta commands on one connection to the owner, or outcomes of a tier
 * in this process, once it owns it. Who owns a tier is decided elsewhere; what a follower's
 * connection must say first, and how late a request may be, is here.
 */
@NullMarked
package io.counterpart.cache.forward;

import org.jspecify.annotations.NullMarked;
