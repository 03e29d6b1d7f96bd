package io.counterpart.cache.coding;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * The condition of tests of ISA-L: runs them where the library is installed, and reports it where
 * it is not.
 */
final class IsaLInstalled {

  private IsaLInstalled() {}

  static void require() {
    CodingLibrary library = CodingLibrary.load();
    if (library.fallbackReason().isPresent()) {
      String message = "tests of ISA-L are skipped: " + library.fallbackReason().orElseThrow();
      System.err.println(message);
      assumeTrue(false, message);
    }
  }
}
