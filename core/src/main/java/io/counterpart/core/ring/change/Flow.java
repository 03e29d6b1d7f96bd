package io.counterpart.core.ring.change;

/** A stream from one node to another. */
record Flow(String source, String target) {}
