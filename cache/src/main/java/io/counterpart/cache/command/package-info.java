/**
 * The effect of clients' commands on an object, as memcached defines it, under any scheme. In: a
 * command and the present record; out: a decision and the client's answer. No I/O.
 */
@NullMarked
package io.counterpart.cache.command;

import org.jspecify.annotations.NullMarked;
