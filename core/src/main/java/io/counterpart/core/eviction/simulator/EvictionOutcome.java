package io.counterpart.core.eviction.simulator;

/**
 * Hits of a trace under eviction by the stripe, and under SIEVE on single objects.
 *
 * @param memoryShare memory ÷ data: bytes that values may take, of those of all objects, in slots
 * @param sieveHitShare requests that SIEVE answers, 0 to 1
 * @param stripesHitShare requests that stripes answer, 0 to 1
 * @param unmovedHitShare requests that stripes answer if no object can move, 0 to 1
 * @param movedPerEvicted objects that moved to another stripe for each that left; 0 if none left
 */
public record EvictionOutcome(
    TracePreset trace,
    double memoryShare,
    double sieveHitShare,
    double stripesHitShare,
    double unmovedHitShare,
    double movedPerEvicted) {}
