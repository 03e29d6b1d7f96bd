package io.counterpart.lab.remote;

import com.datastax.oss.driver.api.core.CqlSessionBuilder;
import com.datastax.oss.driver.api.core.ssl.ProgrammaticSslEngineFactory;
import java.io.IOException;
import javax.net.ssl.SSLContext;

/**
 * Encryption of the connections to a cluster that somebody else runs.
 *
 * @param cql whether those for CQL are
 * @param jmx whether those for JMX are
 * @param namesChecked whether the certificate of a node must name what CQL reaches it by; JMX has
 *     no such check
 * @param context who is trusted, and what is shown
 */
public record RemoteTls(boolean cql, boolean jmx, boolean namesChecked, SSLContext context) {

  /**
   * Reads the certificates.
   *
   * @throws IOException naming the file that is missing or is not what it should be
   */
  public static RemoteTls of(
      boolean cql, boolean jmx, boolean namesChecked, RemoteCertificates certificates)
      throws IOException {
    return new RemoteTls(cql, jmx, namesChecked, certificates.context());
  }

  CqlSessionBuilder encrypt(CqlSessionBuilder builder) {
    // the name that was given, or the address: a reverse look-up would trust who answers it
    return cql
        ? builder.withSslEngineFactory(
            new ProgrammaticSslEngineFactory(context, null, namesChecked, false))
        : builder;
  }

  /**
   * To be called before the first connection: the JDK's JMX takes the context of the process, and
   * keeps the one that it has found first.
   */
  void prepareJmx() {
    if (jmx) {
      SSLContext.setDefault(context);
    }
  }

  /** For people. */
  String describe() {
    String encrypted = cql && jmx ? "CQL and JMX" : cql ? "CQL" : "JMX";
    return cql && !namesChecked
        ? encrypted + ", whatever names nodes' certificates have"
        : encrypted;
  }
}
