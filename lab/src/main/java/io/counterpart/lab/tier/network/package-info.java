/**
 * The network between the proxy and its servers, slowed on purpose: relays on loopback that delay
 * bytes in both directions. In: a delay. Out: addresses that the proxy uses in place of the
 * servers' own.
 */
@NullMarked
package io.counterpart.lab.tier.network;

import org.jspecify.annotations.NullMarked;
