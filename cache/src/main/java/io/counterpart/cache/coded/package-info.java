/**
 * One shard's objects on memcached servers under an (n, k) code: placement, writes that survive a
 * crash together with n − k lost servers, decoding. In: keys and changes of records; out: records.
 * The meaning of clients' commands must not be here.
 */
@NullMarked
package io.counterpart.cache.coded;

import org.jspecify.annotations.NullMarked;
