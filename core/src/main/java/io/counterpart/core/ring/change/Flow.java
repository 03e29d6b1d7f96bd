package io.counterpart.core.ring.change;

/** One node that sends to another. */
record Flow(String source, String target) {}
