package io.counterpart.integration;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.jdi.Bootstrap;
import com.sun.jdi.ClassNotLoadedException;
import com.sun.jdi.ClassType;
import com.sun.jdi.IncompatibleThreadStateException;
import com.sun.jdi.InvalidTypeException;
import com.sun.jdi.InvocationException;
import com.sun.jdi.Method;
import com.sun.jdi.ObjectReference;
import com.sun.jdi.ReferenceType;
import com.sun.jdi.ThreadReference;
import com.sun.jdi.VMDisconnectedException;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.connect.AttachingConnector;
import com.sun.jdi.connect.Connector;
import com.sun.jdi.connect.IllegalConnectorArgumentsException;
import com.sun.jdi.event.BreakpointEvent;
import com.sun.jdi.event.ClassPrepareEvent;
import com.sun.jdi.event.Event;
import com.sun.jdi.event.EventSet;
import com.sun.jdi.request.BreakpointRequest;
import com.sun.jdi.request.ClassPrepareRequest;
import com.sun.jdi.request.EventRequest;
import io.counterpart.cluster.Node;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Stops a node where it enters a method, by the JDK's debugger interface: no code of the node knows
 * of it. Used by one thread.
 */
final class Breakpoint implements AutoCloseable {
  /** JVM option of nodes that can be stopped so. */
  static final String OPTION =
      "-agentlib:jdwp=transport=dt_socket,server=y,suspend=n,quiet=y,address=127.0.0.1:0";

  private static final String BY_PID = "com.sun.jdi.ProcessAttach";

  private final Node node;
  private final Consumer<BreakpointRequest> settings;
  private final VirtualMachine machine;
  private String place;
  private String method;
  private ThreadReference stopped;

  private Breakpoint(
      Node node, String type, String method, Consumer<BreakpointRequest> settings, long pid)
      throws IOException {
    this.node = node;
    this.place = type + "." + method;
    this.method = method;
    this.settings = settings;
    this.machine = attach(pid);
    List<ReferenceType> loaded = machine.classesByName(type);
    if (loaded.isEmpty()) {
      ClassPrepareRequest loading = machine.eventRequestManager().createClassPrepareRequest();
      loading.addClassFilter(type);
      loading.enable();
    } else {
      arm(loaded.get(0));
    }
  }

  /**
   * Stops all of a node, for {@link #awaitKill}.
   *
   * @param type name of a class
   * @param method of it
   * @param entries at which of them, 1 or more
   */
  static Breakpoint ofNode(Node node, String type, String method, int entries) throws IOException {
    return new Breakpoint(
        node, type, method, request -> request.addCountFilter(entries), node.pid());
  }

  /** Stops the first thread that enters a method, until {@link #close}. */
  static Breakpoint ofThread(Node node, String type, String method) throws IOException {
    return new Breakpoint(
        node,
        type,
        method,
        request -> {
          request.addCountFilter(1);
          request.setSuspendPolicy(EventRequest.SUSPEND_EVENT_THREAD);
        },
        node.pid());
  }

  private void arm(ReferenceType type) {
    List<Method> methods = type.methodsByName(method);
    assertThat(methods).as(place).isNotEmpty();
    for (Method each : methods) {
      BreakpointRequest request =
          machine.eventRequestManager().createBreakpointRequest(each.location());
      settings.accept(request);
      request.enable();
    }
  }

  private static VirtualMachine attach(long pid) throws IOException {
    AttachingConnector connector =
        Bootstrap.virtualMachineManager().attachingConnectors().stream()
            .filter(each -> each.name().equals(BY_PID))
            .findFirst()
            .orElseThrow();
    Map<String, Connector.Argument> arguments = connector.defaultArguments();
    arguments.get("pid").setValue(String.valueOf(pid));
    try {
      return connector.attach(arguments);
    } catch (IllegalConnectorArgumentsException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Waits until the node is there, and kills it: nothing of it runs any more by then. */
  void awaitKill(Duration longest) throws InterruptedException {
    awaitStop(longest);
    node.kill();
  }

  /** Waits until a thread is there, and stopped. */
  void awaitStop(Duration longest) throws InterruptedException {
    long end = System.nanoTime() + longest.toNanos();
    while (true) {
      long millis = Duration.ofNanos(end - System.nanoTime()).toMillis();
      EventSet events = millis <= 0 ? null : machine.eventQueue().remove(millis);
      assertThat(events).as("%s enters %s", node, place).isNotNull();
      for (Event event : events) {
        if (event instanceof ClassPrepareEvent loaded) {
          arm(loaded.referenceType());
        }
        if (event instanceof BreakpointEvent reached) {
          stopped = reached.thread();
          return;
        }
      }
      events.resume();
    }
  }

  /**
   * Has the thread that is stopped go on, and stops the first one that enters another method.
   *
   * @param type name of a class that the node has loaded
   */
  void moveTo(String type, String entered) {
    place = type + "." + entered;
    method = entered;
    arm(machine.classesByName(type).get(0));
    stopped.resume();
  }

  /** Has the thread that is stopped go on with a failure, in place of what it was to do. */
  void fail() {
    ClassType type =
        (ClassType) machine.classesByName(IllegalStateException.class.getName()).get(0);
    Method constructor = type.concreteMethodByName("<init>", "()V");
    try {
      ObjectReference failure =
          type.newInstance(stopped, constructor, List.of(), ClassType.INVOKE_SINGLE_THREADED);
      stopped.stop(failure);
      stopped.resume();
    } catch (InvalidTypeException
        | ClassNotLoadedException
        | IncompatibleThreadStateException
        | InvocationException e) {
      throw new IllegalStateException(e);
    }
  }

  /** What was stopped goes on, if it lives. */
  @Override
  public void close() {
    try {
      machine.dispose();
    } catch (VMDisconnectedException killed) {
      // as it shall be
      return;
    }
  }
}
