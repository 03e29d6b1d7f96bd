package io.counterpart.cache.objects;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterpart.cache.objects.CodedClient.Got;
import io.counterpart.cache.tier.Status;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * Requests for many keys, {@value #AT_ONCE} of them under way: one after the other, a check of a
 * hundred thousand objects takes longer than the test that it ends.
 */
public final class SeveralAtOnce {
  private static final int AT_ONCE = 16;

  private SeveralAtOnce() {}

  /**
   * @param answered gets the answers in the order of the keys
   */
  public static <T> void ask(
      Iterable<String> keys,
      Function<String, CompletableFuture<T>> request,
      BiConsumer<String, T> answered) {
    ArrayDeque<Map.Entry<String, CompletableFuture<T>>> underWay = new ArrayDeque<>();
    for (String key : keys) {
      underWay.add(Map.entry(key, request.apply(key)));
      if (underWay.size() == AT_ONCE) {
        end(underWay.remove(), answered);
      }
    }
    while (!underWay.isEmpty()) {
      end(underWay.remove(), answered);
    }
  }

  private static <T> void end(
      Map.Entry<String, CompletableFuture<T>> request, BiConsumer<String, T> answered) {
    answered.accept(request.getKey(), CodedClient.await(request.getValue()));
  }

  /** Keys without their own value, with the outcome of reading them. */
  public static List<String> wrong(CodedClient client, Map<String, byte[]> values) {
    List<String> wrong = new ArrayList<>();
    ask(
        values.keySet(),
        client::get,
        (key, got) -> {
          if (!hasValue(got, values.get(key))) {
            wrong.add(key + ": " + got.status());
          }
        });
    return wrong;
  }

  private static boolean hasValue(Got got, byte[] value) {
    return got.status() == Status.DONE && Arrays.equals(got.value(), value);
  }

  public static void delete(CodedClient client, Iterable<String> keys) {
    ask(keys, client::delete, (key, status) -> assertThat(status).as(key).isEqualTo(Status.DONE));
  }
}
