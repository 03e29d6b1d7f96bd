/**
 * Advice on storage engines: which engine fits a table's load, and which mix of engine classes fits
 * a cluster.
 *
 * <p>In: rates and sizes of tables, as nodes count them. Out: one recommendation for each table and
 * one for the mix, with the numbers behind it. Not here: how rates are read, and how a
 * recommendation is carried out.
 */
@NullMarked
package io.counterpart.core.engine.advice;

import org.jspecify.annotations.NullMarked;
