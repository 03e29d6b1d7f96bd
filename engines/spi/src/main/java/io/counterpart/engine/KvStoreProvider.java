package io.counterpart.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;

/**
 * Makes engines of one kind. Found by {@link ServiceLoader}, so its jar on the class path is
 * enough.
 */
public interface KvStoreProvider {

  /** The name that configurations use, in lower case. */
  String name();

  /**
   * An engine with its settings. Touches neither disk nor network: whether a server answers shows
   * when a store is opened.
   *
   * @param options by name; those that are known are taken out of the map, and the caller refuses
   *     the rest
   * @throws IllegalArgumentException naming an option, its value and what is legal
   */
  KvEngine engine(Map<String, String> options);

  /**
   * The provider of a name.
   *
   * @throws IllegalArgumentException naming the engines that the class path has
   */
  static KvStoreProvider named(String name, ClassLoader loader) {
    List<String> known = new ArrayList<>();
    for (KvStoreProvider provider : ServiceLoader.load(KvStoreProvider.class, loader)) {
      if (provider.name().equals(name)) {
        return provider;
      }
      known.add(provider.name());
    }
    throw new IllegalArgumentException(
        "engine '" + name + "' is not one of the class path's: " + known);
  }
}
