package io.counterpart.cache.backend;

import io.netty.resolver.AddressResolver;
import io.netty.resolver.AddressResolverGroup;
import io.netty.resolver.InetNameResolver;
import io.netty.util.NetUtil;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Promise;
import io.netty.util.concurrent.ThreadPerTaskExecutor;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Function;

/**
 * Looks up the addresses of servers that are given by name, each on a thread of its own. The JDK's
 * look-up blocks, for many seconds if the name server does not answer; Netty's default runs it on
 * the event loop, where it would end all leases. Thread-safe.
 */
final class NameLookups extends AddressResolverGroup<InetSocketAddress> {
  private static final Executor THREADS =
      new ThreadPerTaskExecutor(new DefaultThreadFactory("name-lookup", true));

  private final Source source;

  /** Where addresses come from. */
  interface Source {
    /** The addresses of a name, at least one; may block. */
    InetAddress[] addresses(String name) throws UnknownHostException;
  }

  /** By the system's resolver. */
  NameLookups() {
    this(InetAddress::getAllByName);
  }

  NameLookups(Source source) {
    this.source = source;
  }

  @Override
  protected AddressResolver<InetSocketAddress> newResolver(EventExecutor executor) {
    return new Names(executor).asAddressResolver();
  }

  private final class Names extends InetNameResolver {
    Names(EventExecutor executor) {
      super(executor);
    }

    @Override
    protected void doResolve(String name, Promise<InetAddress> found) {
      find(name, found, addresses -> addresses[0]);
    }

    @Override
    protected void doResolveAll(String name, Promise<List<InetAddress>> found) {
      find(name, found, List::of);
    }

    private <T> void find(String name, Promise<T> found, Function<InetAddress[], T> chosen) {
      Runnable find =
          () -> {
            try {
              found.trySuccess(chosen.apply(source.addresses(name)));
            } catch (UnknownHostException | RuntimeException e) {
              found.tryFailure(e);
            }
          };
      if (NetUtil.createByteArrayFromIpAddressString(name) == null) {
        THREADS.execute(find);
      } else {
        find.run(); // needs no look-up
      }
    }
  }
}
