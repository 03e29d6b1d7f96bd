package io.counterpart.cache.proxy;

import io.counterpart.cache.protocol.Key;
import io.counterpart.cache.protocol.MemcachedProcess;
import io.counterpart.cache.tier.ArithmeticCommand;
import io.counterpart.cache.tier.DeleteCommand;
import io.counterpart.cache.tier.GetOptions;
import io.counterpart.cache.tier.GetOutcome;
import io.counterpart.cache.tier.NumberOutcome;
import io.counterpart.cache.tier.ObjectTier;
import io.counterpart.cache.tier.StoreCommand;
import io.counterpart.cache.tier.WriteOutcome;
import io.netty.channel.EventLoop;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * The contract for a memory that loses every second object before the object is requested, so that
 * only the store knows whether the object exists. Neither the state that only memory keeps is
 * compared, nor the cases that the coded scheme's test leaves out.
 */
class StoredVanillaProxyTest extends VanillaProxyTest {
  /** Anywhere in a line: memcached takes what follows a value that is too long for a command. */
  private static final Pattern NOT_COMPARED =
      Pattern.compile("cas |me |ma .* T| C\\d| [IR]\\d*| N\\d");

  @Override
  ObjectTier start(MemcachedProcess behind, EventLoop loop) throws Exception {
    return FlushingTier.of(new Forgetful(super.start(behind, loop)), loop);
  }

  @Override
  boolean isComparable(byte[] requests) {
    return !NOT_COMPARED.matcher(new String(requests, StandardCharsets.ISO_8859_1)).find();
  }

  @Override
  String comparable(String answers) {
    return answers
        .replaceAll("(?m)^(VALUE .* \\d+ \\d+) \\d+(?=\r?$)", "$1 #")
        .replaceAll(" c\\d+", " c#");
  }

  private record Forgetful(ObjectTier tier, Random random) implements ObjectTier {
    Forgetful(ObjectTier tier) {
      this(tier, new Random(1));
    }

    @Override
    public void get(Key key, GetOptions options, Consumer<GetOutcome> done) {
      if (random.nextBoolean()) {
        tier.delete(DeleteCommand.of(key), outcome -> {});
      }
      tier.get(key, options, done);
    }

    @Override
    public void inspect(Key key, Consumer<String> done) {
      tier.inspect(key, done);
    }

    @Override
    public void store(StoreCommand command, Consumer<WriteOutcome> done) {
      tier.store(command, done);
    }

    @Override
    public void delete(DeleteCommand command, Consumer<WriteOutcome> done) {
      tier.delete(command, done);
    }

    @Override
    public void arithmetic(ArithmeticCommand command, Consumer<NumberOutcome> done) {
      tier.arithmetic(command, done);
    }

    @Override
    public void flushAll(int delaySeconds, Consumer<WriteOutcome> done) {
      tier.flushAll(delaySeconds, done);
    }
  }
}
