package io.counterpart.cache.control;

import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reports as text: each line has a name and the components of a record in order, separated by tabs.
 * The last line is {@link #END}.
 */
final class ReportLines {
  static final String END = "end";

  private static final String SCHEME = "scheme";
  private static final String SERVER = "server";
  private static final String CODED = "coded";
  private static final String CHANGE = "change";
  private static final String SHARD = "shard";

  /** The line's name, address, ring, state and losses: without the shard. */
  private static final int SERVER_VALUES = 5;

  private ReportLines() {}

  /** Supplies lines one by one. */
  @FunctionalInterface
  interface Source {
    String next() throws IOException;
  }

  static List<String> of(TierReport report) {
    List<String> lines = new ArrayList<>();
    lines.add(SCHEME + "\t" + report.scheme());
    report.servers().forEach(server -> lines.add(line(server)));
    if (report.coded() != null) {
      lines.add(line(CODED, report.coded()));
    }
    if (report.change() != null) {
      lines.add(line(CHANGE, report.change()));
    }
    report.shards().forEach(shard -> lines.add(line(SHARD, shard)));
    lines.add(END);
    return lines;
  }

  /**
   * Reads a report up to its last line.
   *
   * @throws IOException if a line does not belong to a report
   */
  static TierReport read(Source source) throws IOException {
    String scheme = "";
    List<ServerReport> servers = new ArrayList<>();
    CodedReport coded = null;
    ChangeReport change = null;
    List<ShardReport> shards = new ArrayList<>();
    for (String line = source.next(); !line.equals(END); line = source.next()) {
      switch (line.split("\t", 2)[0]) {
        case SCHEME -> scheme = line.substring(line.indexOf('\t') + 1);
        case SERVER -> servers.add(server(line));
        case CODED -> coded = parse(CodedReport.class, line);
        case CHANGE -> change = parse(ChangeReport.class, line);
        case SHARD -> shards.add(parse(ShardReport.class, line));
        default -> throw notUnderstood(line);
      }
    }
    return new TierReport(scheme, servers, coded, change, shards);
  }

  /** Without the shard if it is the first, so that a tier of one has the lines it always had. */
  private static String line(ServerReport server) {
    String line = line(SERVER, server);
    return server.shard() == 0 ? line.substring(0, line.lastIndexOf('\t')) : line;
  }

  private static ServerReport server(String line) throws IOException {
    boolean isFirst = line.split("\t", -1).length == SERVER_VALUES;
    return parse(ServerReport.class, isFirst ? line + "\t0" : line);
  }

  static String line(String name, Record report) {
    return name
        + "\t"
        + Arrays.stream(report.getClass().getRecordComponents())
            .map(component -> text(component, report))
            .collect(Collectors.joining("\t"));
  }

  private static String text(RecordComponent component, Record report) {
    try {
      return String.valueOf(component.getAccessor().invoke(report)).replaceAll("\\s+", " ");
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("records can be read", e);
    }
  }

  /**
   * Parses the record of a line, whatever its name is.
   *
   * @throws IOException if the values do not fit the record
   */
  static <T extends Record> T parse(Class<T> type, String line) throws IOException {
    RecordComponent[] components = type.getRecordComponents();
    String[] values = line.split("\t", -1);
    if (values.length != components.length + 1) {
      throw notUnderstood(line);
    }
    Class<?>[] types =
        Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
    @Nullable Object[] parsed = new Object[components.length];
    try {
      for (int i = 0; i < types.length; i++) {
        parsed[i] = value(types[i], values[i + 1]);
      }
      return type.getDeclaredConstructor(types).newInstance(parsed);
    } catch (NumberFormatException e) {
      throw notUnderstood(line);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("records can be made", e);
    }
  }

  private static Object value(Class<?> type, String text) {
    if (type == int.class) {
      return Integer.valueOf(text);
    }
    return type == long.class ? Long.valueOf(text) : text;
  }

  private static IOException notUnderstood(String line) {
    return new IOException(
        "the proxy answers '%s', which is of another version: start the proxy again"
            .formatted(line));
  }
}
