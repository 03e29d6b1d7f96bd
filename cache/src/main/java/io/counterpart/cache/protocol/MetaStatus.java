package io.counterpart.cache.protocol;

/** The two-letter code that begins a meta answer without a value. */
public enum MetaStatus {
  /** Done, or found. */
  HD,
  /** Nothing found by {@code mg}. */
  EN,
  /** Not stored. */
  NS,
  /** The item has another CAS value. */
  EX,
  /** Not found. */
  NF
}
