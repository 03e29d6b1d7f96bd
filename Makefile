# One command each; see `make help`. The first run installs what a fresh Debian 12 lacks.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
MVNW = ./mvnw --batch-mode --no-transfer-progress
MVN = export JAVA_HOME="$$(scripts/jdk17)"; $(MVNW)

.PHONY: help demo test check microbench fmt build clean bootstrap bootstrap-test

help: ## show this list
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## /  make \1\t/' | expand -t 18

demo: build ## build, start a real 5-node cluster and compare three tables; then the memory tier (five minutes; more with a first build)
	@exec ./counterpart demo

test: bootstrap-test ## every test: unit, policy, property, architecture, and integration on real clusters
	@mkdir -p target
# Cassandra's idle workers look for work every 10 microseconds. With timers as coarse as this, which all
# processes of the tests inherit, nodes that share two cores take up to a third less of them.
# Two modules at a time, where they do not depend on each other: most tests wait for servers that start.
# Nodes of root would lock all of their memory, twice what tests use.
	@if [ -w /proc/self/timerslack_ns ]; then echo 1000000 > /proc/self/timerslack_ns; fi; \
	ulimit -l 64; unlocked=; drop="setpriv --bounding-set -ipc_lock"; if $$drop true 2> /dev/null; then unlocked=$$drop; fi; \
	export JAVA_HOME="$$(scripts/jdk17)"; \
	$$unlocked $(MVNW) -T 2 package 2>&1 | tee target/test.log || { status=$$?; scripts/failed-tests target/test.log; exit $$status; }

check: bootstrap ## the developer's loop: format, compile with Error Prone and NullAway, unit and architecture tests
	$(MVN) -q -DskipITs=true spotless:check test

microbench: bootstrap ## JMH benchmarks of the hot paths (about five minutes)
	$(MVN) -q -pl core,cache -am -DskipTests test-compile dependency:build-classpath \
	  -Dmdep.includeScope=test -Dmdep.outputFile=target/test.classpath
	for module in core cache; do \
	  "$$(scripts/jdk17)/bin/java" \
	    -cp "$$module/target/test-classes:$$module/target/classes:$$(cat $$module/target/test.classpath)" \
	    org.openjdk.jmh.Main; \
	done

fmt: bootstrap ## format every Java file
	$(MVN) -q spotless:apply

build: bootstrap ## the jars: the plugin, the applications', the server's and the command line's
	$(MVN) -q -DskipTests -DskipITs=true package

clean: bootstrap ## remove what the build made; stop a cluster first (./counterpart down)
	$(MVN) -q clean

bootstrap:
	@scripts/bootstrap

bootstrap-test:
	@scripts/bootstrap --test
