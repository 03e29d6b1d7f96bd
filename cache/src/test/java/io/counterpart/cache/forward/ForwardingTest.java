package io.counterpart.cache.forward;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.counterpart.cache.backend.ConnectionSecurity;
import io.counterpart.cache.backend.ServerAddress;
import io.counterpart.cache.protocol.Key;
import io.counterpart.cache.protocol.MetaItem;
import io.counterpart.cache.protocol.StoreMode;
import io.counterpart.cache.protocol.server.ServerRequestWriter;
import io.counterpart.cache.proxy.ProxyServer;
import io.counterpart.cache.tier.ArithmeticCommand;
import io.counterpart.cache.tier.DeleteCommand;
import io.counterpart.cache.tier.GetOptions;
import io.counterpart.cache.tier.GetOutcome;
import io.counterpart.cache.tier.NumberOutcome;
import io.counterpart.cache.tier.Status;
import io.counterpart.cache.tier.StoreCommand;
import io.counterpart.cache.tier.WriteOutcome;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.EventLoop;
import io.netty.channel.nio.NioEventLoopGroup;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * An owner and its followers over real sockets: each operation is executed as requested or not at
 * all.
 */
@Timeout(120)
class ForwardingTest {
  private static final Key KEY = Key.of("key");
  private static final Key BINARY = Key.of(new byte[] {0, 1, ' ', 2});

  private final NioEventLoopGroup loops = new NioEventLoopGroup(2);
  private final EventLoop loop = loops.next();
  private final EventLoop ownersLoop = loops.next();
  private final RecordingTier tier = new RecordingTier();
  private final OwnershipSecret secret = OwnershipSecret.random();
  private final AtomicLong standstillMillis = new AtomicLong();
  private final ForwardStatistics statistics = new ForwardStatistics();
  private FailoverTier users;
  private ProxyServer owner;

  @BeforeEach
  void start() throws IOException {
    users = new FailoverTier(loop, statistics);
    owner =
        ProxyServer.listenToFollowers(
            tier,
            new io.counterpart.cache.proxy.MemoryBudget(
                ownersLoop, io.counterpart.cache.proxy.MemoryLimits.ofJvm()),
            secret,
            () -> System.nanoTime() / 1_000_000 + standstillMillis.get());
  }

  @AfterEach
  void stop() {
    owner.close();
    loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
  }

  @Test
  void every_write_arrives_as_it_was_asked_for() throws Exception {
    follow(1, 1);
    for (StoreMode mode : StoreMode.values()) {
      long cas = mode == StoreMode.CAS || mode == StoreMode.APPEND ? -7 : 0;
      StoreCommand command =
          new StoreCommand(KEY, mode, -5, 100, cas, mode == StoreMode.CAS, bytes("a\r\nb"));
      assertThat(write(done -> users.store(command, done)))
          .isEqualTo(new WriteOutcome(Status.DONE, -2));
      assertThat(last()).isEqualTo(RecordingTier.stored(command));
    }
    for (DeleteCommand command :
        List.of(
            DeleteCommand.of(KEY),
            DeleteCommand.of(BINARY),
            new DeleteCommand(KEY, 0L, false, null),
            new DeleteCommand(KEY, -1L, true, 30))) {
      write(done -> users.delete(command, done));
      assertThat(last()).isEqualTo(command);
    }
    write(done -> users.flushAll(7, done));
    assertThat(last()).isEqualTo(7);
    StoreCommand gone = new StoreCommand(KEY, StoreMode.SET, 0, -1, 0, false, bytes(""));
    write(done -> users.store(gone, done));
    assertThat(((RecordingTier.Stored) last()).command().exptime()).isBetween(2_592_001, 9_999_999);
  }

  @Test
  void every_read_arrives_as_it_was_asked_for_and_its_answer_as_it_was_given() throws Exception {
    follow(1, 1);
    tier.item = new MetaItem(5, -3, -9, 77, 12, true, false, true, true, true);
    for (GetOptions options :
        List.of(
            GetOptions.PLAIN,
            GetOptions.touching(60),
            new GetOptions(false, false, false, 5, null, null, "T"),
            new GetOptions(true, true, false, 1, 2, 3, "tRNT"))) {
      GetOutcome.Found found = (GetOutcome.Found) read(options);
      assertThat(last()).isEqualTo(List.of(KEY, options));
      assertThat(found.item().cas()).isEqualTo(-9);
      assertThat(found.item().flags()).isEqualTo(-3);
      assertThat(found.item().lengthBytes()).isEqualTo(5);
      assertThat(found.item().won() && found.item().stale() && found.item().tokenSent()).isTrue();
      if (options.details()) {
        assertThat(found.item()).isEqualTo(tier.item);
      }
      assertThat(found.value().toString(StandardCharsets.US_ASCII))
          .isEqualTo(options.value() ? "value" : "");
      found.value().release();
    }
    assertThat(this.<String>ask(done -> users.inspect(BINARY, done))).isEqualTo("exp=1 la=0");
    assertThat(last()).isEqualTo(BINARY);
  }

  @Test
  void arithmetic_tells_whether_there_was_a_number() throws Exception {
    follow(1, 1);
    ArithmeticCommand command =
        new ArithmeticCommand(KEY, false, -1, new ArithmeticCommand.Initial(-4, 9), 8, 3);
    for (boolean created : new boolean[] {true, false}) {
      tier.number = new NumberOutcome(Status.DONE, -6, created, -2, 44);
      assertThat(this.<NumberOutcome>ask(done -> users.arithmetic(command, done)))
          .isEqualTo(tier.number);
      assertThat(last()).isEqualTo(command);
    }
    for (Status status : EnumSet.complementOf(EnumSet.of(Status.DONE))) {
      tier.number = NumberOutcome.not(status);
      assertThat(this.<NumberOutcome>ask(done -> users.arithmetic(command, done)))
          .isEqualTo(tier.number);
    }
  }

  @Test
  void every_status_comes_back() throws Exception {
    follow(1, 1);
    for (Status status : Status.values()) {
      tier.status = status;
      assertThat(write(done -> users.delete(DeleteCommand.of(KEY), done)).status())
          .isEqualTo(status);
      assertThat(write(this::storeOne).status()).isEqualTo(status);
    }
    for (Status status :
        Set.of(Status.NOT_FOUND, Status.UNAVAILABLE, Status.STORE_UNAVAILABLE, Status.OVERLOADED)) {
      tier.status = status;
      assertThat(read(GetOptions.PLAIN)).isEqualTo(new GetOutcome.None(status));
    }
    assertThat(this.<String>ask(done -> users.inspect(KEY, done))).isEmpty();
    assertThat(statistics.answered().sum()).isPositive();
  }

  @Test
  void who_does_not_know_the_token_is_not_served() throws Exception {
    OwnerAddress other = new OwnerAddress(address(), OwnershipSecret.random(), null);
    assertThatThrownBy(() -> open(other, 1, 1))
        .isInstanceOf(ExecutionException.class)
        .cause()
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("proxy 127.0.0.1:" + address().port());

    try (Socket socket = new Socket("127.0.0.1", address().port())) {
      socket.setSoTimeout(40_000);
      socket.getOutputStream().write("ms key 1\r\nx\r\n".getBytes(StandardCharsets.US_ASCII));
      assertThat(socket.getInputStream().read()).isEqualTo(-1);
    }
    assertThat(tier.asked).isEmpty();
  }

  @Test
  void nothing_of_an_older_connection_is_done_once_a_newer_one_is_answered() throws Exception {
    for (int i = 0; i < 40; i += 2) {
      try (Peer older = new Peer(i);
          Peer newer = new Peer()) {
        assertThat(older.answer()).startsWith("VA ");
        CountDownLatch standsStill = new CountDownLatch(1);
        ownersLoop.execute(() -> awaitQuietly(standsStill));
        older.send("ms old 1\r\nx\r\n".repeat(50));
        newer.greet(i + 1);
        standsStill.countDown();
        assertThat(newer.answer()).startsWith("VA ");
        int done = tier.asked.size();
        newer.answer();
        newer.send("ms new 1\r\nx\r\n");
        assertThat(newer.answer()).isEqualTo("HD");
        assertThat(tier.asked).hasSize(done + 1);
        assertThat(older.isClosed()).isTrue();

        try (Peer late = new Peer(i)) {
          assertThat(late.isClosed()).isTrue();
        }
      }
    }
  }

  @Test
  void a_request_that_has_waited_too_long_is_not_done() throws Exception {
    follow(1, 1);
    assertThat(write(this::storeOne).status()).isEqualTo(Status.DONE);
    int before = tier.asked.size();

    standstillMillis.set(ForwardLimits.REQUEST_AGE.toMillis() + 200);
    CompletableFuture<WriteOutcome> stored = new CompletableFuture<>();
    CompletableFuture<GetOutcome> found = new CompletableFuture<>();
    // in one turn: the first answer tells the follower the time
    loop.execute(
        () -> {
          storeOne(stored::complete);
          users.get(KEY, GetOptions.PLAIN, found::complete);
        });
    assertThat(stored.get(40, TimeUnit.SECONDS).status()).isEqualTo(Status.UNAVAILABLE);
    assertThat(found.get(40, TimeUnit.SECONDS)).isEqualTo(new GetOutcome.None(Status.UNAVAILABLE));
    assertThat(tier.asked).hasSize(before);

    follow(1, 2);
    assertThat(write(this::storeOne).status()).isEqualTo(Status.DONE);
  }

  /** A virtual machine was paused, or the two clocks drift. The connection stays as it is. */
  @Test
  void a_follower_whose_clock_has_fallen_behind_learns_the_owners() throws Exception {
    follow(1, 1);
    standstillMillis.set(10 * ForwardLimits.REQUEST_AGE.toMillis());

    assertThat(write(this::storeOne).status()).isEqualTo(Status.UNAVAILABLE);
    await().until(() -> write(this::storeOne).status() == Status.DONE);
    assertThat(statistics.unanswered().sum()).isZero();
  }

  @Test
  void a_write_without_an_answer_is_told_of_when_it_cannot_be_done_any_more() throws Exception {
    OwnerConnection connection = follow(1, 1);
    tier.silent = true;
    CompletableFuture<WriteOutcome> first = begin(this::storeOne);
    await().until(() -> tier.asked.size() == 1);
    connection.close();
    assertThatThrownBy(() -> first.get(500, TimeUnit.MILLISECONDS))
        .isInstanceOf(TimeoutException.class);

    tier.silent = false;
    follow(1, 2);
    assertThat(first.get(40, TimeUnit.SECONDS).status()).isEqualTo(Status.UNAVAILABLE);
    assertThat(statistics.unanswered().sum()).isEqualTo(1);

    tier.silent = true;
    CompletableFuture<WriteOutcome> second = begin(this::storeOne);
    await().until(() -> tier.asked.size() == 2);
    long start = System.nanoTime();
    owner.close();
    assertThat(second.get(40, TimeUnit.SECONDS).status()).isEqualTo(Status.UNAVAILABLE);
    assertThat(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start))
        .isGreaterThanOrEqualTo(ForwardLimits.REQUEST_AGE.toMillis());
  }

  @Test
  void what_comes_while_there_is_no_owner_waits_for_one_but_not_for_ever() throws Exception {
    CompletableFuture<WriteOutcome> tooEarly = begin(this::storeOne);
    assertThat(tooEarly.get(40, TimeUnit.SECONDS).status()).isEqualTo(Status.UNAVAILABLE);
    assertThat(statistics.refused().sum()).isEqualTo(1);

    AtomicInteger number = new AtomicInteger();
    await("one that has waited is done")
        .until(
            () -> {
              CompletableFuture<WriteOutcome> waits = begin(this::storeOne);
              OwnerConnection connection = follow(1, number.incrementAndGet());
              if (waits.get(40, TimeUnit.SECONDS).status() == Status.DONE) {
                return true;
              }
              connection.close(); // it came too late for what waits two seconds
              connection.ended().get(40, TimeUnit.SECONDS);
              return false;
            });
    assertThat(tier.asked).hasSize(1);
  }

  @Test
  void what_waits_for_an_owner_is_not_done_once_its_clients_are_closed() throws Exception {
    CompletableFuture<WriteOutcome> waits = begin(this::storeOne);
    loop.submit(users::refuseWaiting).get();
    follow(1, 1);

    assertThat(waits.get(40, TimeUnit.SECONDS).status()).isEqualTo(Status.UNAVAILABLE);
    assertThat(tier.asked).isEmpty();
  }

  @Test
  void an_address_is_read_as_it_was_written_by_its_user_alone(@TempDir Path directory)
      throws IOException {
    assertThat(OwnerAddress.read(directory)).isEmpty();
    for (Path control : new Path[] {null, Path.of("/tmp/a b")}) {
      OwnerAddress written = new OwnerAddress(new ServerAddress("::1", 77), secret, control);
      written.write(directory);
      OwnerAddress read = OwnerAddress.read(directory).orElseThrow();
      assertThat(read.server()).isEqualTo(written.server());
      assertThat(read.secret()).hasToString(secret.toString());
      assertThat(read.control()).isEqualTo(control);
      assertThat(
              PosixFilePermissions.toString(
                  Files.getPosixFilePermissions(directory.resolve("address"))))
          .isEqualTo("rw-------");
    }
    OwnerAddress.read(directory).orElseThrow().withdraw(directory);
    assertThat(directory).isEmptyDirectory();

    Files.writeString(directory.resolve("address"), "127.0.0.1:1\nabc\n");
    assertThatThrownBy(() -> OwnerAddress.read(directory))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("[127.0.0.1:1, abc], not an address, a secret");
  }

  @Test
  void an_owner_of_before_leaves_the_address_of_the_next_one(@TempDir Path directory)
      throws IOException {
    OwnerAddress before = new OwnerAddress(new ServerAddress("127.0.0.1", 77), secret, null);
    OwnerAddress next =
        new OwnerAddress(new ServerAddress("127.0.0.1", 78), OwnershipSecret.random(), null);
    before.write(directory);
    next.write(directory);

    before.withdraw(directory);

    assertThat(OwnerAddress.read(directory).orElseThrow().secret()).isEqualTo(next.secret());
    next.withdraw(directory);
    assertThat(OwnerAddress.read(directory)).isEmpty();
  }

  @Test
  void an_address_that_a_loss_of_power_has_left_without_content_is_nobodys(@TempDir Path directory)
      throws IOException {
    for (String left : new String[] {"", "\0".repeat(80)}) {
      Files.writeString(directory.resolve("address"), left);

      assertThat(OwnerAddress.read(directory)).isEmpty();
    }
  }

  private ServerAddress address() {
    return new ServerAddress("127.0.0.1", owner.address().getPort());
  }

  private OwnerConnection follow(long self, int number) throws Exception {
    OwnerAddress to = new OwnerAddress(address(), secret, null);
    return PatientFollower.follow(to, self, number, loop, users, statistics);
  }

  private OwnerConnection open(OwnerAddress to, long self, int number) throws Exception {
    return OwnerConnection.open(
            to,
            new OwnershipSecret.Greeting(self, number),
            loop,
            users,
            statistics,
            ConnectionSecurity.NONE)
        .get(40, TimeUnit.SECONDS);
  }

  private void storeOne(Consumer<WriteOutcome> done) {
    users.store(new StoreCommand(KEY, StoreMode.SET, 0, 0, 0, false, bytes("x")), done);
  }

  private GetOutcome read(GetOptions options) throws Exception {
    return ask(done -> users.get(KEY, options, done));
  }

  private WriteOutcome write(Consumer<Consumer<WriteOutcome>> operation) throws Exception {
    return ask(operation);
  }

  private <T> T ask(Consumer<Consumer<T>> operation) throws Exception {
    return begin(operation).get(40, TimeUnit.SECONDS);
  }

  private <T> CompletableFuture<T> begin(Consumer<Consumer<T>> operation) {
    CompletableFuture<T> result = new CompletableFuture<>();
    loop.execute(() -> operation.accept(result::complete));
    return result;
  }

  private Object last() {
    return tier.asked.get(tier.asked.size() - 1);
  }

  private static ByteBuf bytes(String text) {
    return Unpooled.copiedBuffer(text, StandardCharsets.ISO_8859_1);
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** A follower's socket. */
  private final class Peer implements AutoCloseable {
    private final Socket socket = new Socket("127.0.0.1", address().port());
    private final BufferedReader answers =
        new BufferedReader(
            new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));

    Peer() throws IOException {
      socket.setSoTimeout(40_000);
    }

    Peer(int number) throws IOException {
      this();
      greet(number);
    }

    void greet(int number) throws IOException {
      ByteBuf out = Unpooled.buffer();
      new ServerRequestWriter(out)
          .get(secret.greeting(new OwnershipSecret.Greeting(3, number)))
          .value()
          .end();
      socket.getOutputStream().write(ByteBufUtil.getBytes(out));
    }

    void send(String text) throws IOException {
      socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
    }

    String answer() throws IOException {
      return answers.readLine();
    }

    /** Whether the owner has closed the connection, after its earlier answers. */
    boolean isClosed() {
      try {
        while (answer() != null) {
          continue;
        }
        return true;
      } catch (java.net.SocketTimeoutException e) {
        return false;
      } catch (IOException reset) {
        return true;
      }
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }
}
