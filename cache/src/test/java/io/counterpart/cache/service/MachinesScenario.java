package io.counterpart.cache.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.counterpart.cache.backend.ServerAddress;
import io.counterpart.cache.control.ControlClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/**
 * Three machines with a proxy and a server each, a fourth one with a server, and clients outside of
 * them, in the network namespace of this process: machines are cut off, lost with their disks, and
 * come back. Ends with 0 if nothing acknowledged was lost, and service returned in time.
 */
final class MachinesScenario implements AutoCloseable {
  private static final int KEYS = 12;
  private static final int PROXIES = 3;
  private static final int WRITES = 20;
  private static final Duration LIMIT = Duration.ofSeconds(60);

  /** A client gives up a machine that is cut off after twenty seconds, and begins anew. */
  private static final Duration ANSWER = Duration.ofSeconds(60);

  /** Each look at a role is a handshake of TLS, for which others would wait. */
  private static final Duration LOOKS = Duration.ofMillis(300);

  /** Less than five seconds on an idle computer, as the output tells; five more for a failure. */
  private static final long SERVICE_MILLIS = 20_000;

  private static final long NANOS_PER_MILLI = 1_000_000;

  private final long beginNanos = System.nanoTime();
  private final List<NetworkMachine> machines = new ArrayList<>();
  private final List<ProxyProcess> proxies = new ArrayList<>();
  private final KeyHistory history = new KeyHistory();
  private final MachineSecurity security;
  private final Random random;

  /** Without service, after each loss of the owner; a busy machine may delay any of them. */
  private final List<Long> outagesMillis = new ArrayList<>();

  private MachinesScenario(Path directory, Random random) throws Exception {
    this.random = random;
    security = MachineSecurity.create(directory);
    NetworkMachine.makeBridge();
    for (int i = 0; i <= PROXIES; i++) {
      machines.add(NetworkMachine.make(i + 1, directory));
    }
    List<ServerAddress> servers = machines.stream().map(NetworkMachine::server).toList();
    List<ServerAddress> peers = machines.stream().limit(PROXIES).map(NetworkMachine::peer).toList();
    for (NetworkMachine machine : machines.subList(0, PROXIES)) {
      ProxyProcess proxy = ProxyProcess.on(machine, servers, security).among(machine.peer(), peers);
      proxies.add(proxy);
      proxy.start();
    }
  }

  /** Arguments are a directory and a seed. */
  public static void main(String[] arguments) {
    Thread parent = new Thread(MachinesScenario::endWithInput, "parent");
    parent.setDaemon(true);
    parent.start();
    Awaitility.setDefaultPollInterval(LOOKS);
    int status = 1;
    try (MachinesScenario scenario =
        new MachinesScenario(Path.of(arguments[0]), new Random(Long.parseLong(arguments[1])))) {
      scenario.run();
      status = 0;
    } catch (Throwable failure) { // whatever it is, the caller sees it in the output
      failure.printStackTrace(System.out);
    }
    System.out.flush();
    Runtime.getRuntime().halt(status);
  }

  /** Ends this process, and so all others of its namespace, when whoever started it has ended. */
  private static void endWithInput() {
    try {
      while (System.in.read() >= 0) {}
    } catch (IOException e) {
      // as at the end
    }
    Runtime.getRuntime().halt(2);
  }

  private void run() throws Exception {
    proxies.forEach(ProxyProcess::awaitServing);
    say("the proxies serve; it is %s in the history", KeyHistory.moment(System.nanoTime()));
    try (HistoryClients clients = clients()) {
      ownerIsCutOff();
      awaitAnswers(clients);
      ownerLosesTheServers(false);
      awaitAnswers(clients);
      ownerLosesTheServers(true);
      awaitAnswers(clients);
      ownersMachineIsLost(true);
      ownersMachineIsLost(false);
      awaitAnswers(clients);
      followerIsCutOff();
      followerIsCutOff();
      awaitAnswers(clients);
      theFirstComesBackAlone();
      awaitAnswers(clients);
      awaitReady();
      say(clients.uncertain() + " operations were uncertain");
    }
    checkAll();
    assertThat(outagesMillis).as("times without service").anyMatch(ms -> ms <= SERVICE_MILLIS);
  }

  private void ownerIsCutOff() throws Exception {
    int victim = awaitReady();
    HistoryClients quiet = new HistoryClients(history, KEYS, security);
    quiet.each(proxies.get(victim).address(), "quiet-", "before");
    awaitOne("counting follower"); // a late copy may have been dropped meanwhile
    long beginNanos = System.nanoTime();
    machines.get(victim).cutOff();
    say("the owner, %s, is cut off", victim);

    awaitService(beginNanos, System.nanoTime());
    int next = ownerBut(victim);
    progress();

    quiet.each(proxies.get(next).address(), "quiet-", "after");
    readOnMachine(victim, quiet);
    // writes under way are not in the history yet
    assertThat(history.problems().stream().filter(problem -> problem.startsWith("quiet-")))
        .as("while it is cut off")
        .isEmpty();
    say("the owner is %s; %s is joined again", next, victim);
    machines.get(victim).join();
    awaitFollower(victim);
  }

  /** Reads on the machine that is cut off, as an application there does. */
  private void readOnMachine(int machine, HistoryClients clients) throws InterruptedException {
    Thread reader =
        new Thread(
            () -> {
              machines.get(machine).enter();
              try {
                clients.each(proxies.get(machine).address(), "quiet-", null);
              } catch (IOException e) {
                say("reads on %s end: %s", machine, e);
              }
            });
    reader.start();
    reader.join();
  }

  /**
   * @param ownToo whether it loses its own server too; then only a peer can tell it that it owns
   *     the tier no more
   */
  private void ownerLosesTheServers(boolean ownToo) throws Exception {
    int victim = awaitReady();
    long beginNanos = System.nanoTime();
    machines.get(victim).loseServers(ownToo);
    say("the owner, %s, loses %s", victim, ownToo ? "all servers" : "the other servers");

    awaitFollower(victim);
    long thereNanos = System.nanoTime();
    say("measured: it follows after %s ms", (thereNanos - beginNanos) / NANOS_PER_MILLI);
    String prefix = "behind-%s-".formatted(ownToo);
    HistoryClients behind = new HistoryClients(history, KEYS, security);
    behind.each(proxies.get(victim).address(), prefix, "it");
    behind.each(proxies.get(victim).address(), prefix, null);
    assertThat(behind.uncertain()).as("operations of its own clients").isZero();
    machines.get(victim).reachServers(ownToo);
  }

  /** It has neither its disk nor its server's items, and would make a new tier. */
  private void theFirstComesBackAlone() throws Exception {
    awaitReady();
    NetworkMachine first = machines.get(0);
    first.cutOff();
    proxies.get(0).kill();
    first.killServer();
    first.loseDisk();
    await().atMost(LIMIT).until(() -> with("owner").size() == 1);
    progress();
    int owner = awaitOne("owner");
    long said = waits(first);
    first.startServer();
    proxies.get(0).start();
    say("the owner is %s; the first one comes back empty, and cut off", owner);

    await().atMost(LIMIT).until(() -> waits(first) > said);
    say("it waits, and is joined");
    first.join();
    awaitFollower(0);
    progress();
    assertThat(awaitReady()).as("the owner").isEqualTo(owner);
  }

  private static long waits(NetworkMachine machine) throws IOException {
    try (Stream<String> lines = Files.lines(machine.log())) {
      return lines.filter(line -> line.contains("waiting for servers, because")).count();
    }
  }

  /**
   * @param silently whether the machine answers nothing at all from then on; else its kernel still
   *     closes connections
   */
  private void ownersMachineIsLost(boolean silently) throws Exception {
    int victim = awaitReady();
    NetworkMachine machine = machines.get(victim);
    long beginNanos = System.nanoTime();
    if (silently) {
      machine.cutOff();
    }
    proxies.get(victim).kill();
    machine.killServer();
    machine.loseDisk();
    say("the owner, %s, is lost %s", victim, silently ? "silently" : "with its processes");

    awaitService(beginNanos, System.nanoTime());
    int next = ownerBut(victim);
    progress();

    say("the owner is %s; %s comes back empty", next, victim);
    machine.join();
    machine.startServer();
    proxies.get(victim).start();
    awaitFollower(victim);
  }

  private void followerIsCutOff() throws Exception {
    int owner = awaitReady();
    int victim = awaitOne("counting follower");
    long beginNanos = System.nanoTime();
    machines.get(victim).cutOff();
    say("the follower that counts, %s, is cut off", victim);

    int other = PROXIES - owner - victim;
    await().atMost(LIMIT).until(() -> proxies.get(other).role().equals("counting follower"));
    progress();
    say("%s counts; %s is joined again", other, victim);
    machines.get(victim).join();
    awaitFollower(victim);
    assertThat(awaitReady()).as("the owner").isEqualTo(owner);

    long longest = longestPauseMillis(beginNanos);
    say("measured: the longest pause of writes was %s ms", longest);
    assertThat(longest).isLessThanOrEqualTo(SERVICE_MILLIS);
  }

  private long longestPauseMillis(long fromNanos) {
    long last = fromNanos;
    long longest = 0;
    for (long end : history.acknowledgements(fromNanos)) {
      longest = Math.max(longest, end - last);
      last = end;
    }
    return Math.max(longest, System.nanoTime() - last) / NANOS_PER_MILLI;
  }

  /** Waits for writes that begin after a fault is there; measures from its beginning. */
  private void awaitService(long beginNanos, long thereNanos) {
    await().atMost(LIMIT).until(() -> history.acknowledgements(thereNanos).size() >= WRITES);
    List<Long> times = history.acknowledgements(thereNanos);
    long first = (times.get(0) - beginNanos) / NANOS_PER_MILLI;
    long service = (times.get(WRITES - 1) - beginNanos) / NANOS_PER_MILLI;
    say("measured: the first write after %s ms, %s writes after %s ms", first, WRITES, service);
    outagesMillis.add(service);
  }

  private void progress() {
    long before = history.acknowledged();
    await().atMost(LIMIT).until(() -> history.acknowledged() > before + 100);
  }

  private HistoryClients clients() {
    HistoryClients clients = new HistoryClients(history, KEYS, security);
    for (int i = 0; i < 2 * PROXIES; i++) {
      clients.begin(
          proxies.get(i % PROXIES).address(),
          "client-%d-%d".formatted(i, random.nextInt(1000)),
          new Random(random.nextLong()));
    }
    return clients;
  }

  /** Waits until the tier tolerates a machine's loss; returns its owner. */
  private int awaitReady() {
    await()
        .atMost(LIMIT)
        .until(
            () -> {
              List<Integer> owners = with("owner");
              return owners.size() == 1
                  && !with("counting follower").isEmpty()
                  && isWhole(owners.get(0));
            });
    progress();
    awaitOne("counting follower"); // as above
    say("the tier is whole, and a copy counts");
    return awaitOne("owner");
  }

  /** A proxy may answer late which role it has. */
  private int awaitOne(String role) {
    return await().atMost(LIMIT).until(() -> with(role), found -> !found.isEmpty()).get(0);
  }

  /** Whether the owner has restored all servers. */
  private boolean isWhole(int owner) {
    try (ControlClient operator = ControlClient.connect(machines.get(owner).control())) {
      return operator.report().servers().stream().allMatch(server -> server.state().equals("up"));
    } catch (IOException e) {
      return false;
    }
  }

  private void awaitFollower(int proxy) {
    await().atMost(LIMIT).until(() -> proxies.get(proxy).role().endsWith("follower"));
    say("%s follows", proxy);
  }

  /**
   * Waits until every client has an answer: none is forgotten by a proxy that has lost its role.
   */
  private void awaitAnswers(HistoryClients clients) {
    long sinceNanos = System.nanoTime();
    await()
        .atMost(ANSWER)
        .untilAsserted(() -> assertThat(clients.unansweredSince(sinceNanos)).isEmpty());
  }

  private int ownerBut(int victim) {
    return await("an owner, as writes are acknowledged")
        .atMost(ANSWER)
        .until(
            () ->
                IntStream.range(0, PROXIES)
                    .filter(i -> i != victim && proxies.get(i).role().equals("owner"))
                    .findFirst(),
            OptionalInt::isPresent)
        .getAsInt();
  }

  private List<Integer> with(String role) {
    List<Integer> found = new ArrayList<>();
    for (int i = 0; i < PROXIES; i++) {
      if (proxies.get(i).role().equals(role)) {
        found.add(i);
      }
    }
    return found;
  }

  private void checkAll() throws Exception {
    try (HistoryClients last = new HistoryClients(history, KEYS, security)) {
      for (ProxyProcess proxy : proxies) {
        await("all keys are read through one proxy")
            .atMost(LIMIT)
            .until(() -> last.readsAll(proxy.address()));
      }
    }
    assertThat(history.problems()).isEmpty();
    say("%s writes acknowledged, %s reads, none wrong", history.acknowledged(), history.reads());
  }

  private void say(String text, Object... values) {
    long millis = (System.nanoTime() - beginNanos) / NANOS_PER_MILLI;
    System.out.printf("%6d ms: %s%n", millis, text.formatted(values));
  }

  @Override
  public void close() throws Exception {
    for (ProxyProcess proxy : proxies) {
      proxy.close();
    }
    for (NetworkMachine machine : machines) {
      machine.close();
    }
  }
}
