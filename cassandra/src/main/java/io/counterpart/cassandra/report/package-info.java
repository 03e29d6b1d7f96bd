/**
 * The plugin's reports to operators about a table: plain values taken at one moment, read by the
 * virtual tables and the metrics. No strategy type here, so that readers need not know it.
 */
@NullMarked
package io.counterpart.cassandra.report;

import org.jspecify.annotations.NullMarked;
