package io.counterpart.cache.protocol;

/** The two letters that begin the answer to a meta command; without a value. */
public enum MetaStatus {
  /** Done, or found. */
  HD,
  /** Nothing found by {@code mg}. */
  EN,
  /** Not stored. */
  NS,
  /** The CAS value is another one. */
  EX,
  /** Not found. */
  NF
}
