package io.counterpart.cli.cache;

import picocli.CommandLine.Command;

/** {@code counterpart cache}. */
@Command(
    name = "cache",
    description = "Runs the memory tier: real memcached servers behind one proxy.",
    mixinStandardHelpOptions = true,
    subcommands = {
      CacheUpCommand.class,
      CacheStatusCommand.class,
      CacheAddServerCommand.class,
      CacheRemoveServerCommand.class,
      CacheCancelChangeCommand.class,
      CacheDownCommand.class,
      CacheProxyCommand.class,
    })
public final class CacheCommand {}
