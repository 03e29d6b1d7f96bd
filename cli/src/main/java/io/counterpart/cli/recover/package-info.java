/**
 * The command that recovers a node. In: a node of the local cluster or a JMX address. Out: calls to
 * {@code recovery}, its progress and its result for people and programs. No decision about methods
 * or ranges here.
 */
@NullMarked
package io.counterpart.cli.recover;

import org.jspecify.annotations.NullMarked;
