package io.counterpart.lab.staleness;

/** A part of an experiment on stale reads, with tables of its own. Immutable. */
public interface StalenessStage {
  /** Replicas of each row. */
  int replicas();

  /** Blocks that it measures. */
  int blocks();

  /** Runs the stage; nodes are as before afterwards, but for its tables. */
  void run(StageTools tools) throws InterruptedException;
}
