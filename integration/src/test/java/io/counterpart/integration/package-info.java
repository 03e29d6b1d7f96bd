/**
 * Tests on real clusters. Each class starts what it needs under its module's target directory and
 * leaves no process behind; classes run one after another.
 */
@NullMarked
package io.counterpart.integration;

import org.jspecify.annotations.NullMarked;
