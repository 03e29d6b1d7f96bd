package io.counterpart.cache.service;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Many idle clients in a separate process, because the limit of open files holds for each process.
 * They connect, get one answer, and then do nothing until the test says so.
 */
final class IdleClients implements AutoCloseable {
  private final Process process;
  private final BufferedReader answers;

  private IdleClients(Process process) {
    this.process = process;
    answers = new BufferedReader(new InputStreamReader(process.getInputStream(), ISO_8859_1));
  }

  /** Starts the clients; returns when all are connected and have an answer. */
  static IdleClients start(int port, int count) throws IOException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                IdleClients.class.getName(),
                String.valueOf(port),
                String.valueOf(count))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    IdleClients clients = new IdleClients(process);
    try {
      clients.expect(count);
    } catch (IOException failure) {
      clients.close();
      throw failure;
    }
    return clients;
  }

  /** Makes every client ask once more; returns the number of answers. */
  int ask() throws IOException {
    process.getOutputStream().write('\n');
    process.getOutputStream().flush();
    return answered();
  }

  private void expect(int count) throws IOException {
    int answered = answered();
    if (answered != count) {
      throw new IOException("%d of %d clients were answered".formatted(answered, count));
    }
  }

  private int answered() throws IOException {
    String line = answers.readLine();
    if (line == null) {
      throw new IOException("the clients' process has ended");
    }
    return Integer.parseInt(line);
  }

  /** Ends all clients at once. */
  @Override
  public void close() {
    process.destroyForcibly();
    try {
      process.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** The process: asks on every connection whenever a line arrives. */
  public static void main(String[] arguments) throws IOException {
    int port = Integer.parseInt(arguments[0]);
    int count = Integer.parseInt(arguments[1]);
    List<TextClient> clients = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      clients.add(new TextClient(port));
    }
    BufferedReader told = new BufferedReader(new InputStreamReader(System.in, ISO_8859_1));
    do {
      System.out.println(askAll(clients));
    } while (told.readLine() != null);
  }

  private static int askAll(List<TextClient> clients) throws IOException {
    for (TextClient client : clients) {
      client.send("version\r\n".getBytes(ISO_8859_1));
    }
    int answered = 0;
    for (TextClient client : clients) {
      if (client.line().startsWith("VERSION ")) {
        answered++;
      }
    }
    return answered;
  }
}
