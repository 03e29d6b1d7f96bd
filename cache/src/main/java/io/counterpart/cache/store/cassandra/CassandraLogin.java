package io.counterpart.cache.store.cassandra;

/**
 * A user name and its password. Never printed.
 *
 * @param user not blank
 * @param password as it is, spaces included
 */
public record CassandraLogin(String user, String password) {
  /**
   * Checks that the name is not blank.
   *
   * @throws IllegalArgumentException if it is blank
   */
  public CassandraLogin {
    if (user.isBlank()) {
      throw new IllegalArgumentException("the user's name is blank, legal: a name");
    }
  }

  @Override
  public String toString() {
    return user + " (password hidden)";
  }
}
