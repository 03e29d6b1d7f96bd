package io.counterpart.lab.live;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * {@code /events}: sends each reader the log from its start, then new events. A reader keeps the
 * thread that serves it; one that takes nothing for too long is dropped. Thread-safe.
 */
final class EventStream implements HttpHandler {
  static final int READERS = 8;
  private static final long POLL_MILLIS = 500;
  private static final double SILENCE_SECONDS = 5;
  private static final byte[] RETRY = "retry: 1000\n\n".getBytes(UTF_8);
  private static final byte[] SIGN_OF_LIFE = ":\n\n".getBytes(UTF_8);

  private final EventLog log;
  private final LongSupplier done;
  private final Duration stuck;
  private final ScheduledExecutorService timer;
  private final EventText text = new EventText();
  private final Semaphore places = new Semaphore(READERS);

  /**
   * @param done units done of the current step
   * @param stuck how long a reader may take nothing
   * @param timer drops those that do
   */
  EventStream(EventLog log, LongSupplier done, Duration stuck, ScheduledExecutorService timer) {
    this.log = log;
    this.done = done;
    this.stuck = stuck;
    this.timer = timer;
  }

  /** Readers at this moment. */
  int readers() {
    return READERS - places.availablePermits();
  }

  /** Waits until every reader has read the ended log; true if all did. */
  boolean awaitEnd(Duration atMost) throws InterruptedException {
    return places.tryAcquire(READERS, atMost.toMillis(), TimeUnit.MILLISECONDS);
  }

  @Override
  public void handle(HttpExchange exchange) throws IOException {
    if (!places.tryAcquire()) {
      exchange.sendResponseHeaders(503, -1);
      return;
    }
    try {
      exchange.getResponseHeaders().set("Content-Type", "text/event-stream; charset=utf-8");
      exchange.sendResponseHeaders(200, 0);
      // closed before the place is free: the server's end must not cut off the last chunk
      try (OutputStream out = exchange.getResponseBody()) {
        follow(out);
      }
    } catch (InterruptedException e) {
      // the page is closing, or this reader is stuck: either way the exchange ends here
      Thread.currentThread().interrupt();
    } finally {
      places.release();
    }
  }

  private void follow(OutputStream out) throws IOException, InterruptedException {
    // a page that connects again starts afresh
    send(out, RETRY);
    send(out, text.of(new EventLog.Event(log.second(), "hello", "")));
    int seen = 0;
    long shown = -1;
    double sent = log.second();
    while (true) {
      EventLog.News news = log.after(seen, POLL_MILLIS);
      seen += news.events().size();
      ByteArrayOutputStream batch = new ByteArrayOutputStream();
      news.events().forEach(event -> batch.writeBytes(text.of(event)));
      long now = done.getAsLong();
      double second = log.second();
      // a new step counts from zero, and may have come to the same number since
      if (now != shown || news.events().stream().anyMatch(event -> event.type().equals("step"))) {
        shown = now;
        batch.writeBytes(text.of(new EventLog.Event(second, "progress", now)));
      }
      if (news.last()) {
        batch.writeBytes(text.of(new EventLog.Event(second, "end", "")));
      } else if (batch.size() == 0 && second - sent > SILENCE_SECONDS) {
        // without it a reader that left unseen would keep its place
        batch.writeBytes(SIGN_OF_LIFE);
      }
      if (batch.size() > 0) {
        send(out, batch.toByteArray());
        sent = second;
      }
      if (news.last()) {
        return;
      }
    }
  }

  private void send(OutputStream out, byte[] bytes) throws IOException {
    // the server has no time-out for writes, but an interrupt closes the channel under a write
    Future<?> limit =
        timer.schedule(Thread.currentThread()::interrupt, stuck.toMillis(), TimeUnit.MILLISECONDS);
    try {
      out.write(bytes);
      out.flush();
    } finally {
      limit.cancel(false);
    }
  }
}
