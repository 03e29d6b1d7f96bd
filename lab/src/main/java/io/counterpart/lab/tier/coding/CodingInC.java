package io.counterpart.lab.tier.coding;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.counterpart.cache.coding.CodeShape;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/** ISA-L called from C: a short program, compiled with the machine's compiler. */
final class CodingInC implements CodingSpeed {
  private static final String SOURCE = "encode_speed.c";
  private static final int LIMIT_SECONDS = 60;

  private final Path program;

  private CodingInC(Path program) {
    this.program = program;
  }

  /** Thrown where there is no C compiler, or no ISA-L for it. */
  static final class UnavailableException extends Exception {
    private static final long serialVersionUID = 1L;

    UnavailableException(String message) {
      super(message);
    }
  }

  /**
   * Compiles the program.
   *
   * @param directory for the source and the program
   * @throws UnavailableException if that is not possible on this machine
   * @throws IOException if the directory cannot be written to
   */
  static CodingInC compile(Path directory) throws IOException, UnavailableException {
    Path source = directory.resolve(SOURCE);
    Path program = directory.resolve("encode_speed");
    try (InputStream text = CodingInC.class.getResourceAsStream(SOURCE)) {
      Files.write(source, Objects.requireNonNull(text, SOURCE).readAllBytes());
    }
    try {
      // by the file that the tier loads: Debian has its link for compilers in another package
      run("cc", "-O2", "-o", program.toString(), source.toString(), "-l:libisal.so.2");
      return new CodingInC(program);
    } catch (IOException e) {
      throw new UnavailableException(String.valueOf(e.getMessage()));
    }
  }

  @Override
  public String name() {
    return CodingStage.IN_C;
  }

  @Override
  public Encoded encode(CodeShape code, int stripesInCall, Duration time) throws IOException {
    String answer =
        run(
            program.toString(),
            String.valueOf(code.n()),
            String.valueOf(code.k()),
            String.valueOf(CHUNK_BYTES * stripesInCall),
            String.valueOf(STRIPES / stripesInCall),
            String.valueOf(time.toMillis()));
    String[] numbers = answer.strip().split(" ", -1);
    if (numbers.length != 2) {
      throw new IOException(program + " says '" + answer + "', not two numbers");
    }
    return new Encoded(Long.parseLong(numbers[0]) * stripesInCall, Long.parseLong(numbers[1]));
  }

  private static String run(String... command) throws IOException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    try {
      process.getOutputStream().close();
      String said = new String(process.getInputStream().readAllBytes(), UTF_8);
      if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
        throw new IOException(command[0] + " does not end");
      }
      if (process.exitValue() != 0) {
        throw new IOException(
            "%s failed: %s".formatted(command[0], said.lines().findFirst().orElse("no message")));
      }
      return said;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while waiting for " + command[0], e);
    } finally {
      process.destroyForcibly();
    }
  }
}
