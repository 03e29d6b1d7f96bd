/**
 * The memcached wire protocol on Netty's buffers, without a channel.
 *
 * <p>Towards clients: bytes, split anywhere, go into {@link
 * io.counterpart.cache.protocol.RequestDecoder} and come out as {@link
 * io.counterpart.cache.protocol.Request}s, classic and meta; {@link
 * io.counterpart.cache.protocol.ResponseWriter} and {@link
 * io.counterpart.cache.protocol.MetaResponseWriter} write the answers. Bad input is a request too,
 * {@link io.counterpart.cache.protocol.Request.Refused}, that holds the answer memcached 1.6.18
 * gives; nothing that a client sends throws. What goes to servers is in {@code protocol.server}.
 *
 * <p>Where 1.6.18 depends on how the network splits the bytes (lines over 2,048 bytes), so does the
 * decoder. Differences that are meant: the binary protocol is not spoken (the connection closes);
 * {@code watch}, {@code slabs}, {@code lru}, {@code lru_crawler}, {@code cache_memlimit}, {@code
 * extstore} and {@code refresh_certs} steer one memcached's memory and are {@code ERROR} here; a
 * multiget's keys are all checked before the first is read; an opaque that is too long is refused
 * before the command has an effect; a multiget's line ends at 1 MiB.
 *
 * <p>Values are slices of the buffer they arrived in, retained for their new owner; keys are
 * copied, being shorter than what a slice costs. Must not be here: sockets, handlers, threads, what
 * a command does to stored objects.
 */
@NullMarked
package io.counterpart.cache.protocol;

import org.jspecify.annotations.NullMarked;
