package io.counterpart.cli.tokens;

import io.counterpart.cli.console.ExitCodes;
import io.counterpart.cli.console.Output;
import io.counterpart.core.placement.Host;
import io.counterpart.core.placement.OrderedPlacement;
import io.counterpart.core.placement.OrderedPlacement.Datacenter;
import io.counterpart.core.ring.change.TokenRing;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code counterpart tokens}: {@code initial_token} of each node, by ordered hashes. */
@Command(
    name = "tokens",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Prints initial_token for each node of a cluster that you set up: as many replica sets as"
          + " nodes, and each node leads the same share of the ring.",
      "Then what one node more or less does to both. Contacts no node.",
      "The tokens follow from the set of addresses, not from their order. For new, empty clusters:"
          + " the tokens of a node with data must not be changed."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:printed", "2:a bad option"})
public final class TokensCommand implements Callable<Integer> {
  private static final int STORAGE_PORT = 7000;

  @Spec private CommandSpec command;

  @Option(
      names = "--nodes",
      required = true,
      split = ",",
      paramLabel = "HOST[:PORT]",
      description =
          "Addresses of the nodes of one datacenter; port: 7000, the one for other nodes.")
  private List<String> nodes = new ArrayList<>();

  @Option(
      names = "--racks",
      split = ",",
      paramLabel = "NAME",
      description = "Rack of each node, in the same order (default: all in rack1).")
  private List<String> racks = new ArrayList<>();

  @Option(
      names = "--rf",
      paramLabel = "K",
      description =
          "Copies of each row in this datacenter, 1 to its nodes (default: 3, or all nodes"
              + " if there are fewer).")
  private int copies;

  @Option(
      names = "--tokens",
      paramLabel = "V",
      description = "Tokens of each node, 1 to 256 (default: ${DEFAULT-VALUE}).")
  private int tokens = 16;

  @Option(
      names = "--dc",
      paramLabel = "NAME",
      description = "Name of the datacenter (default: ${DEFAULT-VALUE}).")
  private String datacenter = "dc1";

  @Option(
      names = "--dc-number",
      paramLabel = "I/N",
      description =
          "The I-th of N datacenters that share the ring: no two get the same token (default:"
              + " ${DEFAULT-VALUE}).")
  private String number = "1/1";

  @Mixin private Output output;

  @Override
  public Integer call() {
    TokensView view;
    try {
      Datacenter place = place();
      TokenRing ring = OrderedPlacement.ring(hosts(), place, tokens);
      view = new TokensView(ring, place.name(), copies(ring), tokens);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(command.commandLine(), String.valueOf(e.getMessage()), e);
    }
    output.result(view.json(), view.text());
    return ExitCodes.OK;
  }

  private Datacenter place() {
    String[] parts = number.split("/", -1);
    try {
      if (parts.length == 2) {
        return new Datacenter(datacenter, Integer.parseInt(parts[0]), Integer.parseInt(parts[1]));
      }
    } catch (NumberFormatException e) {
      // reported below with the legal form
    }
    throw new IllegalArgumentException(
        "--dc-number is '%s', legal: I/N, such as 2/3".formatted(number));
  }

  private List<Host> hosts() {
    if (!racks.isEmpty() && racks.size() != nodes.size()) {
      throw new IllegalArgumentException(
          "--racks names %d racks, legal: one for each of the %d nodes"
              .formatted(racks.size(), nodes.size()));
    }
    if (racks.stream().anyMatch(String::isBlank)) {
      throw new IllegalArgumentException("--racks is %s, legal: none is blank".formatted(racks));
    }
    List<Host> hosts = new ArrayList<>();
    for (int i = 0; i < nodes.size(); i++) {
      hosts.add(new Host(address(nodes.get(i)), racks.isEmpty() ? "rack1" : racks.get(i).trim()));
    }
    return hosts;
  }

  /** With its port; an IPv6 address in brackets. */
  private static String address(String given) {
    String host = given.trim();
    if (host.matches("\\d+")) {
      throw new IllegalArgumentException(
          ("--nodes is '%s', legal: the address of each node, such as"
                  + " 10.0.0.1,10.0.0.2,10.0.0.3")
              .formatted(given));
    }
    if (host.matches("[^:\\[\\]]+:\\d{1,5}|\\[[^\\[\\]]+]:\\d{1,5}")) {
      return host;
    }
    if (host.matches("[^:\\[\\]]+|\\[[^\\[\\]]+]")) {
      return host + ":" + STORAGE_PORT;
    }
    if (host.matches("[0-9a-fA-F:.]*::[0-9a-fA-F:.]*|([0-9a-fA-F]{1,4}:){7}[0-9a-fA-F]{1,4}")) {
      return "[" + host + "]:" + STORAGE_PORT;
    }
    throw new IllegalArgumentException(
        "--nodes has '%s', legal: HOST or HOST:PORT".formatted(given));
  }

  private int copies(TokenRing ring) {
    int most = ring.nodes().size();
    boolean given = command.commandLine().getParseResult().hasMatchedOption("--rf");
    if (given && (copies < 1 || copies > most)) {
      throw new IllegalArgumentException(
          "--rf is %d, legal: 1 to %d (the nodes)".formatted(copies, most));
    }
    return given ? copies : Math.min(3, most);
  }
}
