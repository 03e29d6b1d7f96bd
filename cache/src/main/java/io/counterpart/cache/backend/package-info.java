/**
 * Connections to memcached servers. In: commands; out: their answers, in order, or that the server
 * is lost. What commands mean, where keys live and what a lost server costs must not be here.
 */
@NullMarked
package io.counterpart.cache.backend;

import org.jspecify.annotations.NullMarked;
