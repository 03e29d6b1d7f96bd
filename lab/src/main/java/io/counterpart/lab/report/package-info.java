/**
 * Turns result records into tables for terminals and documents.
 *
 * <p>In: results, nothing else: whatever a table shows can be made again from the JSON file. Must
 * not be here: clusters, clients, measuring.
 */
@NullMarked
package io.counterpart.lab.report;

import org.jspecify.annotations.NullMarked;
