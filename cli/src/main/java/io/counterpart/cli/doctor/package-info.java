/**
 * {@code counterpart doctor}: examines this machine, plugins and clusters. In: options. Out:
 * findings, each with what to do. Changes nothing.
 */
@NullMarked
package io.counterpart.cli.doctor;

import org.jspecify.annotations.NullMarked;
