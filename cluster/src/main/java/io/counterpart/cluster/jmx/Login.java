package io.counterpart.cluster.jmx;

/**
 * A name and its password. Never printed.
 *
 * @param user not blank
 * @param password as it is, spaces included
 */
public record Login(String user, String password) {
  /** Checks that there is a name. */
  public Login {
    if (user.isBlank()) {
      throw new IllegalArgumentException("the user's name is blank");
    }
  }

  @Override
  public String toString() {
    return user + " (password hidden)";
  }
}
