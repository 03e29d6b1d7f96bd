package io.counterpart.cache.coded.evict;

import io.counterpart.cache.coded.server.ServerLink;
import io.counterpart.cache.coded.write.SlotMoves;
import java.util.function.ObjIntConsumer;

/**
 * How objects move to other stripes.
 *
 * @param lacking gets the servers that lack a moved object, with its new stripe
 */
public record Moves(SlotMoves slots, ObjIntConsumer<ServerLink> lacking) {}
