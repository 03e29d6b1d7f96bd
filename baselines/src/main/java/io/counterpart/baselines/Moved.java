package io.counterpart.baselines;

import io.counterpart.cache.coded.server.ServerLink;
import io.counterpart.cache.coded.stripe.Place;
import io.counterpart.cache.protocol.Key;

/**
 * An object on its new server, in a chunk of its old one.
 *
 * @param old the server of the chunk
 * @param joins {@link ServerLink#joins} of the new server when it got the record
 */
record Moved(Place place, Key key, long hash, byte[] record, ServerLink old, int joins) {}
