package io.counterpart.cache.proxy;

import io.counterpart.cache.coded.CodedScheme;
import io.counterpart.cache.coded.CodedShard;
import io.counterpart.cache.coded.settings.CodedSettings;
import io.counterpart.cache.coding.CodeShape;
import io.counterpart.cache.coding.CodingLibrary;
import io.counterpart.cache.objects.CodedObjectTier;
import io.counterpart.cache.protocol.MemcachedProcess;
import io.counterpart.cache.ring.ServerId;
import io.counterpart.cache.tier.ObjectTier;
import io.netty.channel.EventLoop;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;
import org.junit.jupiter.api.io.TempDir;

/** The contract for the coded scheme, whose CAS values are its own. */
class EchashProxyTest extends ProxyContract {
  private static final LongSupplier CLOCK = () -> System.currentTimeMillis() / 1000;

  /**
   * Requests whose answers may differ, anywhere in a line, because memcached takes what follows a
   * value that is too long for a command: versions, which clients here have guessed; marks of stale
   * values, whose order is looser; {@code ma} with an exptime, which memcached does not give to a
   * number that becomes longer.
   */
  private static final Pattern NOT_COMPARED = Pattern.compile("cas |ma .* T| C\\d| [IR]\\d*| N\\d");

  @TempDir private Path directory;
  private final List<MemcachedProcess> others = new ArrayList<>();

  @Override
  ObjectTier start(MemcachedProcess behind, EventLoop loop) throws Exception {
    List<ServerId> servers = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      MemcachedProcess other =
          MemcachedProcess.start(MemcachedProcess.freePort(), "-I", "2m", "-M");
      others.add(other);
      servers.add(new ServerId("127.0.0.1:" + other.port()));
    }
    CodedShard shard =
        CodedShard.open(
                CodedScheme.ECHASH,
                CodedSettings.of(new CodeShape(3, 2), servers, directory),
                CodingLibrary.load(),
                loop,
                CLOCK,
                new CompletableFuture<>())
            .get(40, TimeUnit.SECONDS);
    return new CodedObjectTier(shard, loop, CLOCK);
  }

  @Override
  boolean isComparable(byte[] requests) {
    return !NOT_COMPARED.matcher(new String(requests, StandardCharsets.ISO_8859_1)).find();
  }

  @Override
  String comparable(String answers) {
    return answers
        .replaceAll("(?m)^(VALUE .* \\d+ \\d+) \\d+(?=\r?$)", "$1 #")
        .replaceAll(" c\\d+", " c#")
        .replaceAll(" cas=\\d+", " cas=#")
        .replaceAll(" size=\\d+", " size=#");
  }

  @Override
  void end() {
    others.forEach(MemcachedProcess::close);
  }
}
