package io.counterpart.cache.forward;

import io.counterpart.cache.protocol.Key;
import io.counterpart.cache.protocol.server.ReplyStatus;
import io.counterpart.cache.protocol.server.ServerReply;
import io.counterpart.cache.protocol.server.ServerRequestWriter;
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
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Sends operations to the owner as meta commands. The owner executes each as if one of its own
 * clients had sent it. Belongs to the connection's event loop.
 */
final class ForwardingTier implements ObjectTier {
  private static final Pattern NUMBER = Pattern.compile("\\d{1,18}");

  private final OwnerConnection owner;

  ForwardingTier(OwnerConnection owner) {
    this.owner = owner;
  }

  @Override
  public void get(Key key, GetOptions options, Consumer<GetOutcome> done) {
    ServerRequestWriter command =
        owner.command(
            reply -> done.accept(MetaRequests.read(reply, options, ForwardingTier::status)),
            () -> done.accept(new GetOutcome.None(Status.UNAVAILABLE)));
    if (command == null) {
      return;
    }
    MetaRequests.get(command.get(key), options);
    if (!options.details()) {
      // a client that cannot learn of stale values must not be chosen to recompute one
      command.forProxy();
    }
    command.end();
  }

  @Override
  public void inspect(Key key, Consumer<String> done) {
    ServerRequestWriter command =
        owner.command(reply -> done.accept(facts(reply)), () -> done.accept(""));
    if (command != null) {
      command.debug(key).end();
    }
  }

  /** The part of the answer after the key. */
  private static String facts(ServerReply reply) {
    return reply.status() == ReplyStatus.ME
        ? reply.text().substring(reply.text().indexOf(' ') + 1)
        : "";
  }

  @Override
  public void store(StoreCommand store, Consumer<WriteOutcome> done) {
    ServerRequestWriter command = write(done);
    if (command != null) {
      MetaRequests.store(command, store);
    }
  }

  @Override
  public void delete(DeleteCommand delete, Consumer<WriteOutcome> done) {
    ServerRequestWriter command = write(done);
    if (command != null) {
      MetaRequests.delete(command, delete);
    }
  }

  @Override
  public void flushAll(int delaySeconds, Consumer<WriteOutcome> done) {
    ServerRequestWriter command = write(done);
    if (command != null) {
      command.flushAll(Math.max(0, delaySeconds));
    }
  }

  @Override
  public void statistics(String group, Consumer<Map<String, Long>> done) {
    Map<String, Long> numbers = new LinkedHashMap<>();
    ServerRequestWriter command =
        owner.command(
            reply -> {
              if (reply.status() == ReplyStatus.STAT) {
                String[] words = reply.text().split(" ", 2);
                if (words.length == 2 && NUMBER.matcher(words[1]).matches()) {
                  numbers.put(words[0], Long.parseLong(words[1]));
                }
              } else {
                done.accept(numbers);
              }
            },
            () -> done.accept(Map.of()));
    if (command != null) {
      command.stats(group.isEmpty() ? new String[0] : new String[] {group});
    }
  }

  private @Nullable ServerRequestWriter write(Consumer<WriteOutcome> done) {
    return owner.command(
        reply -> done.accept(new WriteOutcome(status(reply), reply.flags().cas())),
        () -> done.accept(WriteOutcome.not(Status.UNAVAILABLE)));
  }

  @Override
  public void arithmetic(ArithmeticCommand arithmetic, Consumer<NumberOutcome> done) {
    ServerRequestWriter command =
        owner.command(
            reply -> {
              boolean created = reply.flags().has('W');
              done.accept(MetaRequests.number(reply, created, ForwardingTier::status));
            },
            () -> done.accept(NumberOutcome.not(Status.UNAVAILABLE)));
    if (command != null) {
      MetaRequests.arithmetic(command, arithmetic);
    }
  }

  private static Status status(ServerReply reply) {
    return switch (reply.status()) {
      case HD, OK, VA -> Status.DONE;
      case NS -> Status.NOT_STORED;
      case EX -> Status.EXISTS;
      case NF, EN -> Status.NOT_FOUND;
      case SERVER_ERROR, CLIENT_ERROR -> error(reply.text());
      default -> Status.UNAVAILABLE;
    };
  }

  private static Status error(String text) {
    return Arrays.stream(Status.values())
        .filter(status -> !text.isEmpty() && status.error().equals(text))
        .findFirst()
        .orElse(Status.UNAVAILABLE);
  }
}
