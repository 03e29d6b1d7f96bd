/** The architecture as rules over compiled classes: ARCHITECTURE.md is checked, not trusted. */
@NullMarked
package io.counterpart.testkit.architecture;

import org.jspecify.annotations.NullMarked;
