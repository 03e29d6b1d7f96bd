package io.counterpart.lab.workload;

import io.counterpart.lab.workload.key.SeededLatest;
import io.counterpart.lab.workload.key.SeededUniform;
import io.counterpart.lab.workload.key.SeededZipfian;
import io.counterpart.lab.workload.value.Mix;
import java.util.Properties;
import site.ycsb.Client;
import site.ycsb.DB;
import site.ycsb.WorkloadException;
import site.ycsb.measurements.Measurements;
import site.ycsb.workloads.CoreWorkload;

/**
 * YCSB's core workload with its key chooser and its operation chooser replaced by seeded ones, so
 * that a run can be repeated.
 */
final class SeededWorkload extends CoreWorkload {
  private final KeyNames keys;
  private final double theta;
  private final OperationMix mix;
  private final long seed;

  private SeededWorkload(KeyNames keys, double theta, OperationMix mix, long seed) {
    this.keys = keys;
    this.theta = theta;
    this.mix = mix;
    this.seed = seed;
  }

  /** A workload over keys [0, rows); inserts of the mix continue behind them. */
  static SeededWorkload create(WorkloadSpec spec, int rows, OperationMix mix, long seed) {
    Properties properties = new Properties();
    properties.setProperty(Client.RECORD_COUNT_PROPERTY, Integer.toString(rows));
    properties.setProperty(FIELD_COUNT_PROPERTY, "1");
    properties.setProperty(FIELD_LENGTH_PROPERTY, Integer.toString(spec.shape().valueBytes()));
    properties.setProperty(WRITE_ALL_FIELDS_PROPERTY, "true");
    properties.setProperty(INSERT_ORDER_PROPERTY, "ordered");
    properties.setProperty(ZERO_PADDING_PROPERTY, Integer.toString(spec.keys().digits()));
    properties.setProperty(REQUEST_DISTRIBUTION_PROPERTY, "uniform");
    String scanRows = Integer.toString(OperationMix.SCAN_ROWS);
    properties.setProperty(MIN_SCAN_LENGTH_PROPERTY, scanRows);
    properties.setProperty(MAX_SCAN_LENGTH_PROPERTY, scanRows);
    // the core workload asks for the process-wide measurements even though our binding takes its
    // own
    Measurements.setProperties(properties);
    SeededWorkload workload =
        new SeededWorkload(spec.keys(), spec.shape().zipfianTheta(), mix, seed);
    try {
      workload.init(properties);
    } catch (WorkloadException e) {
      throw new IllegalArgumentException("YCSB refuses the workload " + properties, e);
    }
    return workload;
  }

  @Override
  public void init(Properties p) throws WorkloadException {
    super.init(p);
    operationchooser = new SeededOperations(mix, Mix.mix(seed));
    keychooser =
        switch (mix.popularity()) {
          case ZIPFIAN -> zipfian();
          case LATEST -> new SeededLatest(transactioninsertkeysequence, zipfian());
          case UNIFORM -> new SeededUniform(recordcount, seed);
        };
  }

  private SeededZipfian zipfian() {
    return new SeededZipfian(recordcount, theta, seed);
  }

  /** As one operation whose write waits for its read; YCSB's own sends both at once. */
  @Override
  public void doTransactionReadModifyWrite(DB db) {
    if (db instanceof CqlBinding binding) {
      binding.readModifyWrite(keys.name(nextKey()));
    } else {
      super.doTransactionReadModifyWrite(db);
    }
  }

  /** Rows inserted so far. */
  int rows() {
    return transactioninsertkeysequence.lastValue().intValue() + 1;
  }

  /** A popular key among those inserted so far. */
  private int nextKey() {
    long newest = transactioninsertkeysequence.lastValue().longValue();
    long key;
    do {
      key = keychooser.nextValue().longValue();
    } while (key > newest);
    return (int) key;
  }
}
