package io.counterpart.engine.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.counterpart.engine.KvBatch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * A batch as arguments of {@link TableScripts#WRITE}: of each key the last operation alone, puts
 * before deletes. Immutable.
 *
 * @param afterNumbers all arguments but the first two
 */
record WriteArguments(List<byte[]> afterNumbers) {

  static WriteArguments of(KvBatch batch) {
    NavigableMap<byte[], KvBatch.Operation> last = new TreeMap<>(Arrays::compareUnsigned);
    batch.operations().forEach(operation -> last.put(operation.key(), operation));
    List<byte[]> puts = new ArrayList<>();
    List<byte[]> deletes = new ArrayList<>();
    for (KvBatch.Operation operation : last.values()) {
      byte[] value = operation.value();
      if (value != null) {
        puts.add(operation.key());
        puts.add(value);
      } else if (!batch.clears()) {
        deletes.add(operation.key());
      }
    }
    List<byte[]> all = new ArrayList<>(2 + puts.size() + deletes.size());
    all.add(ascii(batch.clears() ? "1" : batch.shrinks() ? "2" : "0"));
    all.add(ascii(Integer.toString(puts.size() / 2)));
    all.addAll(puts);
    all.addAll(deletes);
    return new WriteArguments(all);
  }

  /**
   * @param number of this attempt
   * @param least that the server has answered for
   */
  List<byte[]> numbered(long number, long least) {
    List<byte[]> all = new ArrayList<>(2 + afterNumbers.size());
    all.add(ascii(Long.toString(number)));
    all.add(ascii(Long.toString(least)));
    all.addAll(afterNumbers);
    return all;
  }

  private static byte[] ascii(String text) {
    return text.getBytes(US_ASCII);
  }
}
