/**
 * The proxy's side towards memcached clients. In: bytes of clients; out: operations on an {@link
 * io.counterpart.cache.tier.ObjectTier}, and their outcomes as bytes, in the order of the requests.
 * Admission too: TLS, passwords, forwarding proxies. Redundancy of objects must not be here.
 */
@NullMarked
package io.counterpart.cache.proxy;

import org.jspecify.annotations.NullMarked;
