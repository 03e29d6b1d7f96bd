package io.counterpart.lab.tier.client;

import java.nio.ByteBuffer;

/** Takes the answers to reads, each once. */
public interface ReadAnswers {
  /** The object; the buffer is not to be kept. */
  void value(int key, ByteBuffer value);

  /** There is no such object. */
  void absent(int key);

  /** The tier could not answer. */
  void failed(int key, String answer);
}
