/**
 * The proxy that memcached clients talk to. In: bytes of clients; out: operations on an {@link
 * io.counterpart.cache.tier.ObjectTier}, and their outcomes as bytes, in the order of the requests.
 * Also who may come in: TLS and passwords; proxies that forward. How objects are kept must not be
 * here.
 */
@NullMarked
package io.counterpart.cache.proxy;

import org.jspecify.annotations.NullMarked;
