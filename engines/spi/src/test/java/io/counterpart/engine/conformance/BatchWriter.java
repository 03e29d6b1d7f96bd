package io.counterpart.engine.conformance;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.counterpart.engine.KvBatch;
import io.counterpart.engine.KvCursor;
import io.counterpart.engine.KvRange;
import io.counterpart.engine.KvSnapshot;
import io.counterpart.engine.KvStore;
import io.counterpart.engine.KvStoreProvider;
import io.counterpart.engine.StorePlace;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A process that writes the same keys again and again, one batch a number, until it is killed. */
final class BatchWriter {
  static final int KEYS = 400;

  private BatchWriter() {}

  /** Arguments: a provider's class; directory, keyspace, table; options as name=value. */
  public static void main(String[] arguments) throws Exception {
    KvStoreProvider provider =
        (KvStoreProvider) Class.forName(arguments[0]).getDeclaredConstructor().newInstance();
    Map<String, String> options = new HashMap<>();
    for (String option : List.of(arguments).subList(4, arguments.length)) {
      int equals = option.indexOf('=');
      options.put(option.substring(0, equals), option.substring(equals + 1));
    }
    KvStore store =
        provider
            .engine(options)
            .open(new StorePlace(Path.of(arguments[1]), arguments[2], arguments[3]));
    for (int number = first(store); ; number++) {
      KvBatch batch = new KvBatch();
      for (int key = 0; key < KEYS; key++) {
        // of different lengths, so that pages move
        String value = " ".repeat((number * 31 + key) % 300) + number;
        batch.put(("key" + key).getBytes(ISO_8859_1), value.getBytes(ISO_8859_1));
      }
      store.write(batch);
      System.out.println(number);
    }
  }

  private static int first(KvStore store) {
    try (KvSnapshot snapshot = store.snapshot();
        KvCursor cursor = snapshot.scan(KvRange.all())) {
      return cursor.next()
          ? 1 + Integer.parseInt(new String(cursor.value(), ISO_8859_1).strip())
          : 0;
    }
  }
}
