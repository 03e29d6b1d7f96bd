package io.counterpart.cache.objects;

import io.counterpart.cache.protocol.MemcachedProcess;
import io.counterpart.cache.ring.ServerId;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Real memcached servers on fixed ports that a test kills, stops and starts again. */
public final class CodedServers implements AutoCloseable {
  private final String[] options;
  private final List<Integer> ports = new ArrayList<>();
  private final List<MemcachedProcess> processes = new ArrayList<>();

  public CodedServers(int count, String... options) throws IOException {
    this.options = options;
    for (int i = 0; i < count; i++) {
      int port = MemcachedProcess.freePort();
      ports.add(port);
      processes.add(MemcachedProcess.start(port, options));
    }
  }

  public List<ServerId> ids() {
    return ports.stream().map(port -> new ServerId("127.0.0.1:" + port)).toList();
  }

  public ServerId id(int server) {
    return ids().get(server);
  }

  public int count() {
    return ports.size();
  }

  /** Starts another server, which no tier knows yet. */
  public ServerId grow() throws IOException {
    int port = MemcachedProcess.freePort();
    ports.add(port);
    processes.add(MemcachedProcess.start(port, options));
    return id(ports.size() - 1);
  }

  public void kill(int server) {
    processes.get(server).close();
  }

  /** Restarts a killed server, which is empty then. */
  public void start(int server) throws IOException {
    processes.set(server, MemcachedProcess.start(ports.get(server), options));
  }

  /** Restarts a killed server with other options. */
  public void start(int server, String... others) throws IOException {
    processes.set(server, MemcachedProcess.start(ports.get(server), others));
  }

  public void pause(int server) {
    processes.get(server).pause();
  }

  public void resume(int server) {
    processes.get(server).resume();
  }

  /** Sends bytes to a server behind the tier's back. */
  public byte[] answers(int server, byte[] bytes) {
    return processes.get(server).answers(bytes);
  }

  @Override
  public void close() {
    processes.forEach(MemcachedProcess::close);
  }
}
