package io.counterpart.cache.coding;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** Whether tests of ISA-L can run; says so where they cannot. */
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
