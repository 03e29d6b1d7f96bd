/**
 * The speed of the code itself: this project's coders beside the same loops in C. In: a shape of
 * stripes. Out: bytes per second. No servers run.
 */
@NullMarked
package io.counterpart.lab.tier.coding;

import org.jspecify.annotations.NullMarked;
