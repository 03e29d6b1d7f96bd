/**
 * The scheme without redundancy: consistent hashing puts each object on one server, as memcached
 * clients do. The baseline of comparisons. In: operations; out: the server's answers.
 */
@NullMarked
package io.counterpart.cache.vanilla;

import org.jspecify.annotations.NullMarked;
