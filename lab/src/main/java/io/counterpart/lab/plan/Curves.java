package io.counterpart.lab.plan;

import io.counterpart.lab.result.BlockResult;
import io.counterpart.lab.result.Series;
import io.counterpart.lab.workload.ClientShape;
import java.util.List;

/** Curves of measured blocks, a model and the paper, side by side. */
public interface Curves {
  /** Of an experiment that draws none. */
  Curves NONE = (blocks, client) -> List.of();

  /**
   * The curves of what was measured; may be less than was planned.
   *
   * @param client whose pairs were written
   */
  List<Series> of(List<BlockResult> blocks, ClientShape client);
}
