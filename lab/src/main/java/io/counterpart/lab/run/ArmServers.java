package io.counterpart.lab.run;

import java.util.List;

/**
 * The memcached servers of an arm.
 *
 * @param arm its name
 * @param servers in the order of their ports
 */
public record ArmServers(String arm, List<Server> servers) {
  /** State of a server that serves. */
  public static final String UP = "up";

  /** State of a server that runs, but is not in the tier. */
  public static final String SPARE = "spare";

  /** Copies the list. */
  public ArmServers {
    servers = List.copyOf(servers);
  }

  /**
   * One server.
   *
   * @param address of its port
   * @param ring from 0; −1 if it is in none, or if that is not known
   * @param state {@value #UP}, restoring, joining, down or {@value #SPARE}
   */
  public record Server(String address, int ring, String state) {}
}
