package io.counterpart.cache.coding;

import com.sun.jna.NativeLibrary;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Chooses the coder: ISA-L, or Java where ISA-L is missing. Thread-safe. */
public final class CodingLibrary {

  private final @Nullable String fallbackReason;

  private CodingLibrary(@Nullable String fallbackReason) {
    this.fallbackReason = fallbackReason;
  }

  /** Looks for ISA-L. Never fails: without it, coders are in Java. */
  public static CodingLibrary load() {
    return load(IsaL.LIBRARY);
  }

  static CodingLibrary load(String library) {
    if (!NativeBlock.isSupported()) {
      return new CodingLibrary("this JVM does not tell 64-bit addresses of direct buffers");
    }
    try {
      NativeLibrary.getInstance(library);
      // links every function, so that a missing one shows now and not at the first stripe
      IsaL.gf_gen_cauchy1_matrix(new byte[6], 3, 2);
      return new CodingLibrary(null);
    } catch (LinkageError missing) {
      return new CodingLibrary(reason(library, String.valueOf(missing.getMessage())));
    }
  }

  /**
   * The reason why coders are in Java, such as "libisal.so.2 not found"; empty if they use ISA-L.
   */
  public Optional<String> fallbackReason() {
    return Optional.ofNullable(fallbackReason);
  }

  /** A new coder, for one thread. Every coder computes the same bytes. */
  public ErasureCode coder(CodeShape shape) {
    return fallbackReason == null ? new IsaLCode(shape) : new JavaCode(shape);
  }

  /** One line for operators: the coder, and the reason for it. */
  @Override
  public String toString() {
    return fallbackReason == null
        ? "ISA-L (" + IsaL.LIBRARY + ")"
        : "pure Java coder, an order of magnitude slower than ISA-L: " + fallbackReason;
  }

  // JNA's message has a line for each place that it looked at
  private static String reason(String library, String message) {
    return message.contains("No such file or directory")
        ? library + " not found (Debian package libisal2)"
        : library + " cannot be used: " + message.lines().findFirst().orElse("");
  }
}
