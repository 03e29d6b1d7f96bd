package io.counterpart.cache.proxy;

/**
 * The memory that one client's requests hold: received bytes of unfinished requests, and work, that
 * is, requests under way and unsent answers. Belongs to its budget's event loop.
 */
public final class MemoryAccount {
  private final MemoryBudget budget;
  private final Holder holder;
  private final boolean isProxy;
  private long workBytes;
  private long inputBytes;
  private long knownProgress = Long.MIN_VALUE;
  private long knownRequests = Long.MIN_VALUE;
  private int stalledSweeps;

  /**
   * Sweeps in a row in which it was the client's turn, at the same request; those count while a
   * client is urgent.
   */
  private int turnSweeps;

  /** The client, as the budget sees it. */
  interface Holder {
    /** A number that changes whenever the client has sent or taken bytes. */
    long progress();

    /** A number that changes whenever the client has begun another request. */
    long requests();

    /** Whether it is the client's turn: to take answers, or to send the rest of a request. */
    boolean isClientsTurn();

    /** Closes the connection, because others wait for its memory. */
    void giveUp(long heldBytes);
  }

  /** Operations of another event loop: their clients' own budget closes who stalls. */
  static final class OtherLoop implements Holder {
    @Override
    public long progress() {
      return 0;
    }

    @Override
    public long requests() {
      return 0;
    }

    @Override
    public boolean isClientsTurn() {
      return false;
    }

    @Override
    public void giveUp(long heldBytes) {}
  }

  MemoryAccount(MemoryBudget budget, Holder holder, boolean isProxy) {
    this.budget = budget;
    this.holder = holder;
    this.isProxy = isProxy;
  }

  boolean isProxy() {
    return isProxy;
  }

  long workBytes() {
    return workBytes;
  }

  long inputBytes() {
    return inputBytes;
  }

  long heldBytes() {
    return workBytes + inputBytes;
  }

  /** Takes memory for a request, if the budget permits. */
  public boolean take(long bytes) {
    if (!budget.fits(this, false, bytes)) {
      return false;
    }
    budget.forget(this);
    change(bytes);
    return true;
  }

  /** Whether an answer may exceed the memory taken for it by this amount. */
  boolean mayGrow(long bytes) {
    return bytes <= 0 || budget.isFree(bytes);
  }

  /** Takes memory that is already used, or gives it back. */
  public void change(long bytes) {
    workBytes += bytes;
    budget.add(bytes, false);
  }

  /** Takes memory for this many bytes of an unfinished request, if the budget permits. */
  boolean receive(long bytes) {
    if (!budget.fits(this, true, bytes - inputBytes)) {
      return false;
    }
    budget.forget(this);
    receiving(bytes);
    return true;
  }

  /** Sets the number of bytes that an unfinished request has, or is about to receive. */
  void receiving(long bytes) {
    if (bytes != inputBytes) {
      long more = bytes - inputBytes;
      inputBytes = bytes;
      budget.add(more, true);
    }
  }

  /** Runs a body once {@link #take} would succeed. */
  public void awaitWork(long bytes, Runnable resume) {
    budget.await(this, false, bytes, resume);
  }

  /** Ends {@link #awaitWork}: nothing waits for work any more. */
  public void awaitNoWork() {
    budget.forget(this);
  }

  /** Runs a body once {@link #receive} would succeed. */
  void awaitInput(long bytes, Runnable resume) {
    budget.await(this, true, bytes - inputBytes, resume);
  }

  /**
   * Checks whether the client has made progress since the last sweep.
   *
   * @param isUrgent whether somebody waits whom nobody overtakes
   */
  void sweep(boolean isUrgent) {
    long progress = holder.progress();
    stalledSweeps = progress == knownProgress ? stalledSweeps + 1 : 0;
    knownProgress = progress;
    long requests = holder.requests();
    boolean isSame = requests == knownRequests && holder.isClientsTurn();
    turnSweeps = isSame ? turnSweeps + (isUrgent ? 1 : 0) : 0;
    knownRequests = requests;
  }

  void beginStall() {
    stalledSweeps = 0;
    turnSweeps = 0;
    knownProgress = Long.MIN_VALUE;
    knownRequests = Long.MIN_VALUE;
  }

  boolean isStalled() {
    boolean isSlow =
        stalledSweeps >= MemoryBudget.PATIENCE_SWEEPS || turnSweeps >= MemoryBudget.MOST_SWEEPS;
    // a proxy stands for many clients, but one that does not move at all for so long serves none
    boolean isStuck = isProxy ? stalledSweeps >= MemoryBudget.MOST_SWEEPS : isSlow;
    return heldBytes() > 0 && isStuck && holder.isClientsTurn();
  }

  void giveUp() {
    holder.giveUp(heldBytes());
  }

  /** Closes the account; the memory of requests under way is given back as they end. */
  void close() {
    receiving(0);
    budget.close(this);
  }
}
