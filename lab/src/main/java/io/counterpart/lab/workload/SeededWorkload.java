package io.counterpart.lab.workload;

import java.util.Properties;
import site.ycsb.Client;
import site.ycsb.WorkloadException;
import site.ycsb.measurements.Measurements;
import site.ycsb.workloads.CoreWorkload;

/**
 * YCSB's core workload with its key chooser replaced by a seeded one, so that a run can be
 * repeated.
 */
final class SeededWorkload extends CoreWorkload {
  /** Digits after "user": keys are 24 bytes long as in the paper (DEPART §5.1). */
  static final int KEY_DIGITS = 20;

  /** What a transaction of the workload does. */
  enum Operation {
    READ,
    UPDATE
  }

  private final double theta;
  private final long seed;

  private SeededWorkload(double theta, long seed) {
    this.theta = theta;
    this.seed = seed;
  }

  /** A workload over keys [0, rows) whose every transaction is the given operation. */
  static SeededWorkload create(WorkloadSpec spec, int rows, Operation operation, long seed) {
    Properties properties = new Properties();
    properties.setProperty(Client.RECORD_COUNT_PROPERTY, Integer.toString(rows));
    properties.setProperty(FIELD_COUNT_PROPERTY, "1");
    properties.setProperty(FIELD_LENGTH_PROPERTY, Integer.toString(spec.valueBytes()));
    properties.setProperty(WRITE_ALL_FIELDS_PROPERTY, "true");
    properties.setProperty(INSERT_ORDER_PROPERTY, "ordered");
    properties.setProperty(ZERO_PADDING_PROPERTY, Integer.toString(KEY_DIGITS));
    properties.setProperty(REQUEST_DISTRIBUTION_PROPERTY, "uniform");
    properties.setProperty(READ_PROPORTION_PROPERTY, operation == Operation.READ ? "1" : "0");
    properties.setProperty(UPDATE_PROPORTION_PROPERTY, operation == Operation.UPDATE ? "1" : "0");
    properties.setProperty(SCAN_PROPORTION_PROPERTY, "0");
    properties.setProperty(INSERT_PROPORTION_PROPERTY, "0");
    // the core workload asks for the process-wide measurements even though our binding takes its
    // own
    Measurements.setProperties(properties);
    SeededWorkload workload = new SeededWorkload(spec.zipfianTheta(), seed);
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
    keychooser = new SeededZipfian(recordcount, theta, seed);
  }

  /** The key number in a YCSB key name. */
  static int keyNumber(String name) {
    return Integer.parseInt(name, name.length() - KEY_DIGITS, name.length(), 10);
  }

  /** The YCSB key name of a key number. */
  static String keyName(int key) {
    String digits = Integer.toString(key);
    return "user" + "0".repeat(KEY_DIGITS - digits.length()) + digits;
  }
}
