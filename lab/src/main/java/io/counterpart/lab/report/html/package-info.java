/**
 * A run's report as one HTML file that needs no network.
 *
 * <p>In: a {@link io.counterpart.lab.result.LabResult}. Out: HTML. All computation (medians,
 * intervals, percentiles, shares) is here; the page's script only draws. Must not be here:
 * clusters, clients, measuring.
 */
@NullMarked
package io.counterpart.lab.report.html;

import org.jspecify.annotations.NullMarked;
