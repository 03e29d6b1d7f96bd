/**
 * One scheme under test: its memcached servers, its proxy in this JVM, its data, and the meters for
 * a block. In: a shape. Out: an open arm that stages use, and a read back of every value.
 */
@NullMarked
package io.counterpart.lab.tier.arm;

import org.jspecify.annotations.NullMarked;
