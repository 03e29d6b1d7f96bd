package io.counterpart.lab.live;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;

/** A plain client that sends exactly the bytes that it is given. */
final class Reader implements AutoCloseable {
  private static final int TIME_OUT_MILLIS = 40_000;

  private final Socket socket = new Socket();
  private final BufferedReader in;

  private Reader(URI address, String request) throws IOException {
    // small, so that a reader that reads nothing is noticed soon
    socket.setReceiveBufferSize(4096);
    socket.setSoTimeout(TIME_OUT_MILLIS);
    socket.connect(new InetSocketAddress(address.getHost(), address.getPort()));
    socket.getOutputStream().write(request.getBytes(UTF_8));
    InputStream answer = new Unchunked(new BufferedInputStream(socket.getInputStream()));
    in = new BufferedReader(new InputStreamReader(answer, UTF_8));
  }

  static Reader get(LivePage page, String path) throws IOException {
    return send(page, "GET " + path, "Host: " + page.address().getAuthority());
  }

  static Reader send(LivePage page, String start, String... headers) throws IOException {
    return new Reader(
        page.address(),
        start + " HTTP/1.1\r\n" + String.join("\r\n", headers) + "\r\nConnection: close\r\n\r\n");
  }

  int status() throws IOException {
    return Integer.parseInt(in.readLine().split(" ")[1]);
  }

  /** The data of the next events of some types, without what else is between. */
  List<String> events(int count, String... types) throws IOException {
    List<String> events = new ArrayList<>();
    String type = "";
    while (events.size() < count) {
      String line = in.readLine();
      if (line == null) {
        throw new IOException("ended after " + events);
      }
      if (line.startsWith("event: ")) {
        type = line.substring("event: ".length());
      } else if (line.startsWith("data: ") && List.of(types).contains(type)) {
        events.add(type + " " + line.substring("data: ".length()));
      }
    }
    return events;
  }

  /** Everything up to the end of the connection. */
  String rest() throws IOException {
    StringBuilder rest = new StringBuilder();
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      rest.append(line).append('\n');
    }
    return rest.toString();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
