package io.counterpart.engine;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;

/**
 * An engine: opens stores. Found by {@link ServiceLoader}, so its jar on the class path is enough.
 */
public interface KvStoreProvider {

  /** The name that configurations use, in lower case. */
  String name();

  /**
   * Opens the store of a directory, or creates it. One process opens a directory once at a time.
   *
   * @throws StoreException if the directory cannot be used
   */
  KvStore open(Path directory);

  /**
   * The engine of a name.
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
