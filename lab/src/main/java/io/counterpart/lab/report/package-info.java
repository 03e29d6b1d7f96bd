/**
 * Tables of results for terminals and documents.
 *
 * <p>In: results alone, so every table can be printed again from its JSON file. Must not be here:
 * clusters, clients, measuring.
 */
@NullMarked
package io.counterpart.lab.report;

import org.jspecify.annotations.NullMarked;
