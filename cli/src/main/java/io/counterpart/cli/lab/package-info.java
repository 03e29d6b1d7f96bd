/** {@code counterpart lab}: the papers' experiments, one class for each sub-command. */
@NullMarked
package io.counterpart.cli.lab;

import org.jspecify.annotations.NullMarked;
