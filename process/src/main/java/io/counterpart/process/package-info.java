/**
 * Processes of this machine: their identity beyond a pid, their CPU time and disk traffic, free
 * ports and memory, the checks before a start, and the end of what ends with this JVM. In: pids and
 * command lines. Out: records and exceptions. What a process is for is not known here.
 */
@NullMarked
package io.counterpart.process;

import org.jspecify.annotations.NullMarked;
