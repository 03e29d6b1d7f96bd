/**
 * The {@code counterpart} command line, one command a file, and the only place that puts the
 * modules together. {@link io.counterpart.cli.RootCommand} lists the commands.
 *
 * <p>In: arguments. Out: text or JSON, and documented exit codes. Must not be here: logic that a
 * library could hold.
 */
@NullMarked
package io.counterpart.cli;

import org.jspecify.annotations.NullMarked;
