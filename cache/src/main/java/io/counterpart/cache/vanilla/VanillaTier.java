package io.counterpart.cache.vanilla;

import io.counterpart.cache.backend.ReplyHandler;
import io.counterpart.cache.backend.ServerConnection;
import io.counterpart.cache.backend.SummedStatistics;
import io.counterpart.cache.protocol.Key;
import io.counterpart.cache.protocol.server.ReplyStatus;
import io.counterpart.cache.protocol.server.ServerReply;
import io.counterpart.cache.protocol.server.ServerRequestWriter;
import io.counterpart.cache.ring.HashRing;
import io.counterpart.cache.ring.KeyHash;
import io.counterpart.cache.ring.ServerId;
import io.counterpart.cache.tier.ArithmeticCommand;
import io.counterpart.cache.tier.DeleteCommand;
import io.counterpart.cache.tier.GetOptions;
import io.counterpart.cache.tier.GetOutcome;
import io.counterpart.cache.tier.NumberOutcome;
import io.counterpart.cache.tier.ObjectTier;
import io.counterpart.cache.tier.Status;
import io.counterpart.cache.tier.StoreCommand;
import io.counterpart.cache.tier.WriteOutcome;
import io.counterpart.cache.tier.meta.MetaRequests;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A tier that keeps each object on one server. An object on a server that is down is unavailable;
 * no other server has it.
 *
 * <p>Paper: ECHash §5.1, "Vanilla".
 */
public final class VanillaTier implements ObjectTier {
  private static final String FIRST_FACT = " exp=";

  private final HashRing ring;
  private final Map<ServerId, ServerConnection> servers;

  /**
   * A tier of these servers.
   *
   * @param servers a connection for each server of the ring, on the tier's event loop
   */
  public VanillaTier(HashRing ring, Map<ServerId, ServerConnection> servers) {
    this.ring = ring;
    this.servers = Map.copyOf(servers);
  }

  @Override
  public void get(Key key, GetOptions options, Consumer<GetOutcome> done) {
    if (options.isClassic() && key.isText()) {
      classicGet(key, options, done);
      return;
    }
    ServerRequestWriter command =
        command(
            key,
            ReplyHandler.of(
                reply -> done.accept(MetaRequests.read(reply, options, Statuses::of)),
                why -> done.accept(new GetOutcome.None(Status.UNAVAILABLE))));
    if (command != null) {
      MetaRequests.get(command.get(key), options).end();
    }
  }

  /**
   * Reads by a classic command. With {@code mg} the server would choose this client to recompute a
   * value, and the client would not learn of it.
   */
  private void classicGet(Key key, GetOptions options, Consumer<GetOutcome> done) {
    ServerRequestWriter command = command(key, new ClassicReply(options, done));
    if (command == null) {
      return;
    }
    Integer exptime = options.exptime();
    if (exptime == null) {
      command.classic().get(key);
    } else if (options.value()) {
      command.classic().get(key, exptime);
    } else {
      command.classic().touch(key, exptime);
    }
  }

  @Override
  public void inspect(Key key, Consumer<String> done) {
    ServerRequestWriter command =
        command(key, ReplyHandler.of(reply -> done.accept(facts(reply)), why -> done.accept("")));
    if (command != null) {
      command.debug(key).end();
    }
  }

  /** The properties in the answer to {@code me}, of which the expiry is the first. */
  private static String facts(ServerReply reply) {
    int first = reply.text().lastIndexOf(FIRST_FACT);
    return reply.status() == ReplyStatus.ME && first >= 0 ? reply.text().substring(first + 1) : "";
  }

  @Override
  public void store(StoreCommand store, Consumer<WriteOutcome> done) {
    ServerRequestWriter command = command(store.key(), write(done));
    if (command != null) {
      MetaRequests.store(command, store);
    }
  }

  @Override
  public void delete(DeleteCommand delete, Consumer<WriteOutcome> done) {
    ServerRequestWriter command = command(delete.key(), write(done));
    if (command != null) {
      MetaRequests.delete(command, delete);
    }
  }

  @Override
  public void arithmetic(ArithmeticCommand arithmetic, Consumer<NumberOutcome> done) {
    ArithmeticCommand.Initial initial = arithmetic.initial();
    // the answer does not tell whether the initial number was taken: the server is asked before
    AtomicBoolean absent = new AtomicBoolean();
    if (initial != null) {
      inspect(arithmetic.key(), facts -> absent.set(facts.isEmpty()));
    }
    Key key = arithmetic.key();
    ServerRequestWriter command =
        command(
            key,
            ReplyHandler.of(
                reply -> done.accept(MetaRequests.number(reply, absent.get(), Statuses::of)),
                why -> done.accept(NumberOutcome.not(Status.UNAVAILABLE))));
    if (command != null) {
      MetaRequests.arithmetic(command, arithmetic);
    }
  }

  @Override
  public void flushAll(int delaySeconds, Consumer<WriteOutcome> done) {
    AtomicInteger left = new AtomicInteger(servers.size());
    Status[] worst = {Status.DONE};
    Consumer<Status> one =
        status -> {
          worst[0] = status == Status.DONE ? worst[0] : status;
          if (left.decrementAndGet() == 0) {
            done.accept(new WriteOutcome(worst[0], 0));
          }
        };
    for (ServerConnection server : servers.values()) {
      ReplyHandler handler = write(outcome -> one.accept(outcome.status()));
      if (server.isOpen()) {
        server.command(handler).flushAll(delaySeconds);
      } else {
        server.refuse(handler);
      }
    }
  }

  @Override
  public void statistics(String group, Consumer<Map<String, Long>> done) {
    SummedStatistics.ask(servers.values(), group, done);
  }

  private static ReplyHandler write(Consumer<WriteOutcome> done) {
    return ReplyHandler.of(
        reply -> done.accept(new WriteOutcome(Statuses.of(reply), reply.flags().cas())),
        why -> done.accept(WriteOutcome.not(Status.UNAVAILABLE)));
  }

  private @Nullable ServerRequestWriter command(Key key, ReplyHandler handler) {
    ServerId id = ring.server(KeyHash.of(key.bytes()));
    ServerConnection server = Objects.requireNonNull(servers.get(id), id.name());
    if (!server.isOpen()) {
      server.refuse(handler);
      return null;
    }
    return server.command(handler);
  }
}
