/**
 * What clients' commands make of an object, as memcached does it, whatever keeps the object. In: a
 * command and the record that there is; out: a decision and what the client is told. No I/O.
 */
@NullMarked
package io.counterpart.cache.command;

import org.jspecify.annotations.NullMarked;
