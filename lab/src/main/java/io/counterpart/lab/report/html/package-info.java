/**
 * The report of a run as one HTML file that needs no network.
 *
 * <p>In: a {@link io.counterpart.lab.result.LabResult}. Out: HTML. Everything that is computed
 * (medians, intervals, percentiles, shares) is computed here; the page's script only draws. Must
 * not be here: clusters, clients, measuring.
 */
@NullMarked
package io.counterpart.lab.report.html;

import org.jspecify.annotations.NullMarked;
