package io.counterpart.lab.result.compare;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A setting that two runs do not share.
 *
 * @param setting its name; parts of nested settings are joined with dots
 * @param a value in the first run, {@value #ABSENT} where it has none
 * @param b value in the second run
 */
public record Difference(String setting, String a, String b) {
  /** Stands for no value. */
  public static final String ABSENT = "(none)";

  /** Every setting with two values, by name. */
  public static List<Difference> between(Map<String, ?> a, Map<String, ?> b) {
    Map<String, String> own = flat(a);
    Map<String, String> peer = flat(b);
    Map<String, String> all = new TreeMap<>(own);
    all.putAll(peer);
    List<Difference> differences = new ArrayList<>();
    for (String setting : all.keySet()) {
      Difference values =
          new Difference(
              setting, own.getOrDefault(setting, ABSENT), peer.getOrDefault(setting, ABSENT));
      if (!values.a().equals(values.b())) {
        differences.add(values);
      }
    }
    return List.copyOf(differences);
  }

  private static Map<String, String> flat(Map<?, ?> settings) {
    Map<String, String> flat = new TreeMap<>();
    settings.forEach(
        (key, value) -> {
          if (value instanceof Map<?, ?> nested) {
            flat(nested).forEach((inner, leaf) -> flat.put(key + "." + inner, leaf));
          } else {
            // text, since a number read from a file may be of another type than one in memory
            flat.put(String.valueOf(key), String.valueOf(value));
          }
        });
    return flat;
  }
}
