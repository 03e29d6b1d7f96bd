/**
 * The memcached wire protocol on Netty's buffers, without a channel.
 *
 * <p>Towards clients: bytes, split anywhere, go into {@link
 * io.counterpart.cache.protocol.RequestDecoder} and come out as {@link
 * io.counterpart.cache.protocol.Request}s, classic and meta; {@link
 * io.counterpart.cache.protocol.ResponseWriter} and {@link
 * io.counterpart.cache.protocol.MetaResponseWriter} write the answers. Bad input is a request too,
 * {@link io.counterpart.cache.protocol.Request.Refused}, with the answer that memcached 1.6.18
 * gives; nothing that a client sends throws. The side of the servers is {@code protocol.server}.
 *
 * <p>Where 1.6.18 depends on how the network splits the bytes (lines over 2,048 bytes), so does the
 * decoder. There are five intended differences. The binary protocol is not spoken (the connection
 * closes). {@code watch}, {@code lru}, {@code extstore} and {@code refresh_certs} steer one
 * memcached's memory and are {@code ERROR} here; {@code slabs}, {@code cache_memlimit} and {@code
 * lru_crawler} get the answers of a memcached that refuses them. A multiget's keys are all checked
 * before the first is read. An opaque that is too long is refused before the command has an effect.
 * A multiget's line ends at 1 MiB.
 *
 * <p>Values are slices of the buffer they arrived in, retained for their new owner. Keys are
 * copied, because they are shorter than the overhead of a slice. Must not be here: sockets,
 * handlers, threads, and the effect of a command on stored objects.
 */
@NullMarked
package io.counterpart.cache.protocol;

import org.jspecify.annotations.NullMarked;
