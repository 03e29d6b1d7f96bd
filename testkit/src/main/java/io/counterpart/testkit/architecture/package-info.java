/** The architecture as rules over compiled classes, so that ARCHITECTURE.md can be trusted. */
@NullMarked
package io.counterpart.testkit.architecture;

import org.jspecify.annotations.NullMarked;
