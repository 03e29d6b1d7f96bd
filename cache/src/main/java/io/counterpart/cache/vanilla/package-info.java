/**
 * The scheme without redundancy: each object is on one server, by consistent hashing, as memcached
 * clients have always done it. It is what the others are compared with. In: operations; out: what
 * the one server answers.
 */
@NullMarked
package io.counterpart.cache.vanilla;

import org.jspecify.annotations.NullMarked;
