package io.counterpart.cache.proxy;

import io.counterpart.cache.protocol.Answer;
import io.counterpart.cache.protocol.ResponseWriter;
import io.counterpart.cache.tier.Status;

/** The answer lines of classic commands, by status. */
final class Lines {
  private Lines() {}

  /**
   * @param good the line of {@link Status#DONE}
   */
  static ReplyQueue.Answerer of(Status status, Answer good) {
    return switch (status) {
      case DONE -> good::writeTo;
      case NOT_STORED -> Answer.NOT_STORED::writeTo;
      case EXISTS -> Answer.EXISTS::writeTo;
      case NOT_FOUND -> Answer.NOT_FOUND::writeTo;
      case NOT_A_NUMBER -> Answer.NOT_A_NUMBER::writeTo;
      case OUT_OF_MEMORY -> Answer.OUT_OF_MEMORY::writeTo;
      case TOO_LARGE, NO_ANSWER_MEMORY, UNAVAILABLE, STORE_UNAVAILABLE, OVERLOADED ->
          out -> ResponseWriter.serverError(out, status.error());
    };
  }
}
