/**
 * Connections to memcached servers. In: commands; out: their answers in order, or the loss of the
 * server; and the end of users whose code throws. The meaning of commands, the placement of keys
 * and the cost of a lost server must not be here.
 */
@NullMarked
package io.counterpart.cache.backend;

import org.jspecify.annotations.NullMarked;
