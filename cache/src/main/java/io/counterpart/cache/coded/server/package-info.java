/**
 * The servers of a shard: connection, handshake, marks, loss and return; items read from and
 * written to them; which server holds which part of a stripe.
 */
@NullMarked
package io.counterpart.cache.coded.server;

import org.jspecify.annotations.NullMarked;
