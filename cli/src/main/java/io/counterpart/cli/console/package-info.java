/**
 * The output of every command: results to standard output as a table or JSON, progress and errors
 * to standard error, exit codes. No command and no cluster here.
 */
@NullMarked
package io.counterpart.cli.console;

import org.jspecify.annotations.NullMarked;
