package io.counterpart.cluster.jmx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class JmxEndpointTest {

  @Test
  void a_port_that_there_is_not_is_refused() {
    assertThatThrownBy(() -> new JmxEndpoint("host", 65_536, null))
        .hasMessage("JMX port 65536: must be 1 to 65535");
  }

  @Test
  void nobody_there_is_told_as_the_system_says_it() throws IOException {
    int closed;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      closed = socket.getLocalPort();
    }

    assertThatThrownBy(
            () -> new JmxEndpoint("127.0.0.1", closed, null).connect(Duration.ofSeconds(30)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("Connection refused");
  }

  @Test
  void somebody_who_never_answers_is_not_waited_for() throws IOException {
    try (ServerSocket mute = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      JmxEndpoint endpoint = new JmxEndpoint("127.0.0.1", mute.getLocalPort(), null);
      long start = System.nanoTime();

      assertThatThrownBy(() -> endpoint.connect(Duration.ofSeconds(1)))
          .isInstanceOf(IOException.class)
          .hasMessage("no answer within 1 s");
      // RMI itself would wait for a minute
      assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(30));
    }
  }

  @Test
  void a_password_is_never_printed() {
    assertThat(new JmxEndpoint("h", 7199, new Login("u", "secret"))).hasToString("h:7199");
    assertThat(new Login("u", "secret").toString()).contains("u").doesNotContain("secret");
  }
}
