/**
 * Several proxies of one tier: one owns it, its followers forward to the owner. In: a follower's
 * operations; out: meta commands on one connection to the owner, or outcomes of a tier in this
 * process once it is the owner. Holds a follower's first request and the age limit of requests;
 * ownership is decided elsewhere.
 */
@NullMarked
package io.counterpart.cache.forward;

import org.jspecify.annotations.NullMarked;
