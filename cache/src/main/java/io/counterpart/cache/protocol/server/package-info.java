/**
 * The side of the memcached wire protocol that faces servers: {@link
 * io.counterpart.cache.protocol.server.ServerRequestWriter} writes meta commands, {@link
 * io.counterpart.cache.protocol.server.ServerReplyDecoder} reads the answers. Malformed bytes
 * throw, because a server that we started must not send them.
 */
@NullMarked
package io.counterpart.cache.protocol.server;

import org.jspecify.annotations.NullMarked;
