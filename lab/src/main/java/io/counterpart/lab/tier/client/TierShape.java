package io.counterpart.lab.tier.client;

import io.counterpart.cache.coding.CodeShape;
import io.counterpart.lab.tier.network.TierNetwork;
import io.counterpart.lab.workload.ValueCodec;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The size of a tier and of its objects.
 *
 * @param code of the coded schemes; vanilla has none
 * @param servers initial number, at least n
 * @param objects 1 to 100,000,000
 * @param valueBytes of each object, a multiple of 8, 16 to 65536
 * @param network between the proxy and its servers
 * @param serverMegabytes memory of a server, 16 to 65536 MiB, or 0 for enough to drop nothing
 */
public record TierShape(
    CodeShape code,
    int servers,
    int objects,
    int valueBytes,
    TierNetwork network,
    int serverMegabytes) {
  private static final int MAX_OBJECTS = 100_000_000;
  private static final int MAX_VALUE_BYTES = 1 << 16;
  private static final int MIN_MEGABYTES = 16;
  private static final int MAX_MEGABYTES = 1 << 16;
  private static final long MIB = 1 << 20;

  /** Memory of a server beyond its expected items, for slabs of many sizes. */
  private static final int SPARE_MEGABYTES = 64;

  /** Key, headers of memcached and of the record, slots that are not full. */
  private static final int OVERHEAD_BYTES = 160;

  /** The fullest server has less than this times the mean. */
  private static final int IMBALANCE = 3;

  /** Checks every range. */
  public TierShape {
    require("servers", servers, code.n(), 1000);
    require("objects", objects, 1, MAX_OBJECTS);
    require("value bytes", valueBytes, ValueCodec.MIN_VALUE_BYTES, MAX_VALUE_BYTES);
    if (valueBytes % Long.BYTES != 0) {
      throw new IllegalArgumentException(
          "value bytes %d: must be a multiple of 8".formatted(valueBytes));
    }
    if (serverMegabytes != 0) {
      require("MiB of a server", serverMegabytes, MIN_MEGABYTES, MAX_MEGABYTES);
    }
  }

  /** A shape whose servers have memory for all objects. */
  public TierShape(CodeShape code, int servers, int objects, int valueBytes, TierNetwork network) {
    this(code, servers, objects, valueBytes, network, 0);
  }

  /** The same over another network. */
  public TierShape over(TierNetwork other) {
    return new TierShape(code, servers, objects, valueBytes, other, serverMegabytes);
  }

  /** Memory of each server in MiB. */
  public int memoryMegabytes() {
    if (serverMegabytes != 0) {
      return serverMegabytes;
    }
    double copies = (double) code.n() / code.k();
    double all = (double) objects * (valueBytes + OVERHEAD_BYTES) * copies;
    return SPARE_MEGABYTES + (int) (IMBALANCE * all / servers / MIB);
  }

  /** The shape in the form of results. */
  public Map<String, Object> describe() {
    Map<String, Object> described = new LinkedHashMap<>();
    described.put("code", code.toString());
    described.put("servers", servers);
    described.put("objects", objects);
    described.put("keyBytes", TierData.KEY_BYTES);
    described.put("valueBytes", valueBytes);
    described.put("memoryMegabytes", memoryMegabytes());
    described.put("network", network.describe());
    return described;
  }

  private static void require(String what, int value, int low, int high) {
    if (value < low || value > high) {
      throw new IllegalArgumentException(
          "%s %d: must be %d to %d".formatted(what, value, low, high));
    }
  }
}
