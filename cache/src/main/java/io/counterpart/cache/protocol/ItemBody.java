package io.counterpart.cache.protocol;

import io.netty.buffer.ByteBuf;
import java.util.function.Function;

/**
 * The value that a store command's line announces.
 *
 * @param lengthBytes without the CRLF that ends it
 * @param noreply whether a value without CRLF is refused in silence
 * @param complete makes the request from the value, which it then owns
 */
record ItemBody(int lengthBytes, boolean noreply, Function<ByteBuf, Request> complete) {}
