package io.counterpart.core.engine.advice;

/** The resource by which engines are compared. */
enum Limit {
  /** Reads are answered from memory: the time of nodes counts. */
  TIME("time of nodes"),
  /** Reads wait for the disk: the bytes that it moves count. */
  DISK("disk traffic");

  private final String text;

  Limit(String text) {
    this.text = text;
  }

  @Override
  public String toString() {
    return text;
  }
}
