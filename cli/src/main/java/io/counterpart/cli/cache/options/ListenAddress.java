package io.counterpart.cli.cache.options;

import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;

/** Addresses of this machine, as users write them. */
final class ListenAddress {

  private ListenAddress() {}

  /**
   * An address that can be listened on.
   *
   * @throws IllegalArgumentException if it is not this machine's
   */
  static InetAddress parse(String option, String text) {
    try {
      InetAddress address = InetAddress.getByName(text);
      if (!text.isBlank() && isLocal(address)) {
        return address;
      }
    } catch (UnknownHostException | SocketException unknown) {
      throw new IllegalArgumentException(message(option, text), unknown);
    }
    throw new IllegalArgumentException(message(option, text));
  }

  private static boolean isLocal(InetAddress address) throws SocketException {
    return address.isAnyLocalAddress()
        || address.isLoopbackAddress()
        || NetworkInterface.getByInetAddress(address) != null;
  }

  private static String message(String option, String text) {
    return option + " is '" + text + "', not an address of this machine such as 127.0.0.1";
  }

  /** The address at which a client on this machine reaches a listener. */
  static String reachable(InetAddress address) {
    return address.isAnyLocalAddress()
        ? InetAddress.getLoopbackAddress().getHostAddress()
        : address.getHostAddress();
  }
}
