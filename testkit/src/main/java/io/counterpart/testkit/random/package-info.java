/** Repeatable random tests: every failure names its seed. */
@NullMarked
package io.counterpart.testkit.random;

import org.jspecify.annotations.NullMarked;
