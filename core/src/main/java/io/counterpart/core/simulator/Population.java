package io.counterpart.core.simulator;

/**
 * The keys that one structure of one node will hold in the end.
 *
 * @param keys how many, at least 1
 * @param entryBytes bytes of one version of one key
 */
record Population(double keys, double entryBytes, Popularity popularity) {
  double bytes(Density density, double width) {
    return keys * entryBytes * width * density.present(popularity);
  }
}
