package io.counterpart.cli.lab;

import io.counterpart.cli.console.PreconditionException;
import io.counterpart.lab.live.LivePage;
import java.io.IOException;
import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The options of a run's live page: a fixed port, no page, or the default. */
final class LiveOptions {
  private static final int HIGHEST_PORT = 65_535;

  @Option(
      names = "--live",
      description = "port of the live page on 127.0.0.1; default: any that is free",
      paramLabel = "PORT",
      converter = Port.class)
  private int port;

  @Option(names = "--no-live", description = "no live page")
  private boolean off;

  /** Refuses a port before anything starts. */
  static final class Port implements ITypeConverter<Integer> {
    @Override
    public Integer convert(String text) {
      if (text.matches("\\d{1,5}") && Integer.parseInt(text) <= HIGHEST_PORT) {
        return Integer.valueOf(text);
      }
      throw new TypeConversionException("'%s': must be from 0 to %d".formatted(text, HIGHEST_PORT));
    }
  }

  /**
   * Opens the page and says where it is; null if it is not wanted.
   *
   * @throws PreconditionException if the port is in use
   */
  @Nullable LivePage open(PrintWriter err) {
    return off ? null : open(port, err);
  }

  LivePage open(int port, PrintWriter err) {
    try {
      LivePage page = LivePage.open(port);
      err.println("live page: " + page.address());
      err.flush();
      return page;
    } catch (IOException e) {
      throw new PreconditionException(String.valueOf(e.getMessage()));
    }
  }
}
