package io.counterpart.engine.conformance;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.counterpart.engine.KvBatch;
import io.counterpart.engine.KvCursor;
import io.counterpart.engine.KvRange;
import io.counterpart.engine.KvSnapshot;
import io.counterpart.engine.KvStore;
import io.counterpart.engine.KvStoreProvider;
import java.nio.file.Path;

/** A process that writes the same keys again and again, one batch a number, until it is killed. */
final class BatchWriter {
  static final int KEYS = 400;

  private BatchWriter() {}

  /** Arguments: a provider's class, a directory. */
  public static void main(String[] arguments) throws Exception {
    KvStoreProvider engine =
        (KvStoreProvider) Class.forName(arguments[0]).getDeclaredConstructor().newInstance();
    KvStore store = engine.open(Path.of(arguments[1]));
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
