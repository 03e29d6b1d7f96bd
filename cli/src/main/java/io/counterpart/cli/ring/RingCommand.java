package io.counterpart.cli.ring;

import io.counterpart.cli.console.ExitCodes;
import io.counterpart.cli.console.Output;
import io.counterpart.cli.lab.LocalAccess;
import io.counterpart.cli.lab.RemoteOptions;
import io.counterpart.cli.nodes.HomeOption;
import io.counterpart.lab.remote.RemoteAccess;
import io.counterpart.lab.remote.RingSurvey;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code counterpart ring}: replica sets, shares and bytes of a live ring. */
@Command(
    name = "ring",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Shows the replica sets of each keyspace, how evenly the nodes lead and keep copies, and the"
          + " bytes of each node, with a picture of the ring. Changes nothing.",
      "Looks at the local cluster, or with --contact-points at yours, over CQL; bytes come over JMX,"
          + " where it answers."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:shown",
      "1:the picture cannot be written",
      "2:a bad option",
      "3:no cluster, it does not answer, or it lacks a keyspace"
    })
public final class RingCommand implements Callable<Integer> {
  @Spec private CommandSpec command;

  @Option(
      names = "--keyspace",
      paramLabel = "NAME",
      description = "Repeatable (default: every keyspace that is not Cassandra's own).")
  private List<String> keyspaces = new ArrayList<>();

  @Option(
      names = "--svg",
      paramLabel = "FILE",
      description = "Also draws the ring of the first keyspace into a file that browsers show.")
  private @Nullable Path svg;

  @Mixin private HomeOption home;
  @Mixin private Output output;

  @ArgGroup(exclusive = false, heading = "%nOf a cluster that somebody else runs:%n")
  private @Nullable RemoteOptions remote;

  @Override
  public Integer call() throws IOException {
    Path picture = svg == null ? null : writable(svg.toAbsolutePath());
    RemoteAccess access =
        remote == null ? LocalAccess.of(home) : remote.access(command.commandLine());
    if (access.datacenter() != null) {
      throw usage("--local-dc: every datacenter is looked at");
    }
    RingReport report = RingReport.of(RingSurvey.look(access, keyspaces));
    if (picture != null) {
      Files.writeString(picture, RingSvg.of(report.ring(), report.first()), StandardCharsets.UTF_8);
      output.progress("drawn: " + picture);
    }
    output.result(report.json(), report.text());
    return ExitCodes.OK;
  }

  private Path writable(Path file) {
    Path directory = file.getParent();
    if (Files.isDirectory(file) || directory == null || !Files.isWritable(directory)) {
      throw usage("--svg is '%s', legal: a file in a directory that can be written".formatted(svg));
    }
    return file;
  }

  private ParameterException usage(String message) {
    return new ParameterException(command.commandLine(), message);
  }
}
