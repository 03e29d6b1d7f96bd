package io.counterpart.cache.service;

import io.counterpart.cache.control.ControlClient;
import io.counterpart.cache.control.ServerChange;
import io.counterpart.cache.control.TierReport;
import io.counterpart.cache.forward.OwnerAddress;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Forwards operators' commands from a follower to the owner's control socket. No state. */
final class OwnersControl {
  private OwnersControl() {}

  /**
   * The state of the tier according to its owner.
   *
   * @param owner null if none is known
   * @throws IOException if the owner does not answer
   */
  static TierReport report(@Nullable OwnerAddress owner, SchemeContext context) throws IOException {
    try (ControlClient client = connect(owner, context)) {
      return client.report();
    }
  }

  /** Makes the owner change its servers. */
  static CompletableFuture<Void> change(
      @Nullable OwnerAddress owner, SchemeContext context, ServerChange change) {
    return ask(owner, context, client -> client.change(change, progress -> {}));
  }

  /** Makes the owner cancel the change under way. */
  static CompletableFuture<Void> cancelChange(@Nullable OwnerAddress owner, SchemeContext context) {
    return ask(owner, context, client -> client.cancelChange(progress -> {}));
  }

  /** A command for the owner; returns when it is done. */
  @FunctionalInterface
  private interface Question {
    void ask(ControlClient client) throws IOException;
  }

  private static CompletableFuture<Void> ask(
      @Nullable OwnerAddress owner, SchemeContext context, Question question) {
    CompletableFuture<Void> end = new CompletableFuture<>();
    Thread asking = new Thread(() -> ask(owner, context, question, end), "cache-change");
    asking.setDaemon(true);
    asking.start();
    return end;
  }

  private static void ask(
      @Nullable OwnerAddress owner,
      SchemeContext context,
      Question question,
      CompletableFuture<Void> end) {
    try (ControlClient client = connect(owner, context)) {
      question.ask(client);
      end.complete(null);
    } catch (IOException | RuntimeException e) {
      end.completeExceptionally(e);
    }
  }

  /** Of several shards, this one alone is asked for: its owner may follow those of others. */
  private static ControlClient connect(@Nullable OwnerAddress owner, SchemeContext context)
      throws IOException {
    Path socket = socket(owner);
    return context.isOneOfSeveral()
        ? ControlClient.connect(socket, context.shard())
        : ControlClient.connect(socket);
  }

  private static Path socket(@Nullable OwnerAddress owner) throws IOException {
    if (owner == null) {
      throw new IOException("no proxy is known to own the tier now");
    }
    Path control = owner.control();
    if (control == null) {
      throw new IOException(
          "the proxy that owns the tier, %s, is on another machine: ask there; or it was started"
                  .formatted(owner.server())
              + " without --control");
    }
    return control;
  }
}
