package dev.ron.http.server;

import dev.ron.kernel.sync.Waiters;
import dev.ron.kernel.task.Drainable;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.topology.Stage;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.concurrent.EventExecutor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** How a host stops: accept no more, then finish what was begun. */
final class HostDrain {
    private static final int MOST_TURNS = 1000;

    private final String name;
    private final HostState host;
    private final ConnectionSetup connections;
    private final Channel listener;
    private final DrainGrace grace;

    HostDrain(String name, HostState host, ConnectionSetup connections, Channel listener, DrainGrace grace) {
        this.name = name;
        this.host = host;
        this.connections = connections;
        this.listener = listener;
        this.grace = grace;
    }

    Drainable listenerStage() {
        return new Listener();
    }

    Drainable workStage() {
        return new Work();
    }

    /** Counts what the listen socket gives; on the loop of that socket. */
    private static final class Accepted extends ChannelInboundHandlerAdapter {
        private long count;

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object connection) {
            count++;
            ctx.fireChannelRead(connection);
        }
    }

    /** Closes the listen socket once nothing waits in it, and connections without a request. */
    private final class Listener implements Drainable {
        private final Waiters waiters = new Waiters();

        @Override
        public String name() {
            return HostDrain.this.name + "/listener";
        }

        @Override
        public Stage stage() {
            return Stage.LISTENERS;
        }

        @Override
        public boolean drain(Deadline deadline) {
            emptyBacklog(deadline);
            awaitWhoWasAccepted(deadline);
            host.startLeaving();
            connections.forEach(Served::announceLeave);
            letCallersGo(deadline);
            host.startDraining();
            connections.forEach(Served::drain);
            return true;
        }

        /**
         * A busy caller may have sent its next request before it can know that we stop; to close on it would lose that
         * request. So for a moment requests are served, and each connection's answer says that it was the last. Who
         * has only just come and has not asked yet is on its way to: it gets a longer moment.
         */
        private void letCallersGo(Deadline deadline) {
            AtomicBoolean enough = new AtomicBoolean();
            try {
                lookAgain(grace.callers().toNanos(), enough);
            } catch (RejectedExecutionException loopEnded) {
                return;
            }
            host.awaitDisconnected(deadline, () -> enough.get() && patienceNanos() <= 0);
        }

        /** In the loop's own time, not the host's clock: this waits for the network, not for a limit. */
        private void lookAgain(long nanos, AtomicBoolean enough) {
            listener.eventLoop()
                    .schedule(
                            () -> {
                                enough.set(true);
                                long patience = patienceNanos();
                                if (patience > 0) {
                                    lookAgain(patience, enough);
                                }
                                host.wake(); // last: where nobody looks again, who waits must not find a moment left
                            },
                            nanos,
                            TimeUnit.NANOSECONDS);
        }

        private long patienceNanos() {
            return host.newcomers().patienceNanos(grace.newcomers());
        }

        /**
         * Accepts until there is nothing left to accept: a turn of the loop polls the listen socket before it runs what is
         * due by then, so two turns without a new connection mean that the backlog is empty. A task that is only handed
         * over will not do: it runs in the same turn as the one that hands it over, and the socket is not looked at. Where
         * each turn brings another, there is an end to it all the same.
         */
        private void emptyBacklog(Deadline deadline) {
            Accepted accepted = new Accepted();
            listener.pipeline().addFirst(accepted);
            closeWhenQuiet(accepted, -1, 0, MOST_TURNS);
            listener.closeFuture().addListener(closed -> waiters.signalAll());
            waiters.await("listener " + name, deadline, () -> listener.isOpen() ? null : Boolean.TRUE);
            listener.close();
        }

        /**
         * Who was accepted last may not be known yet: its own loop has been told of it, no more. Once every loop has had its
         * turn it is counted, and waited for like the others.
         */
        private void awaitWhoWasAccepted(Deadline deadline) {
            AtomicInteger behind = new AtomicInteger();
            for (EventExecutor loop : listener.eventLoop().parent()) {
                behind.incrementAndGet();
                try {
                    loop.execute(() -> {
                        behind.decrementAndGet();
                        waiters.signalAll();
                    });
                } catch (RejectedExecutionException loopEnded) {
                    behind.decrementAndGet();
                }
            }
            waiters.await("listener " + name, deadline, () -> behind.get() == 0 ? Boolean.TRUE : null);
        }

        private void closeWhenQuiet(Accepted accepted, long before, int quietTurns, int turnsLeft) {
            Runnable look = () -> {
                int quiet = accepted.count == before ? quietTurns + 1 : 0;
                if (quiet < 2 && turnsLeft > 0) {
                    closeWhenQuiet(accepted, accepted.count, quiet, turnsLeft - 1);
                } else {
                    listener.close();
                }
            };
            try {
                listener.eventLoop().schedule(look, 1, TimeUnit.NANOSECONDS);
            } catch (RejectedExecutionException loopEnded) {
                listener.close();
            }
        }

        @Override
        public int abort() {
            listener.close();
            return 0;
        }
    }

    /** Waits for every request in hand, then for the connections to take leave. */
    private final class Work implements Drainable {

        @Override
        public String name() {
            return HostDrain.this.name + "/requests";
        }

        @Override
        public Stage stage() {
            return Stage.WORK;
        }

        @Override
        public boolean drain(Deadline deadline) {
            if (!host.awaitAnswered(deadline)) {
                return false;
            }
            connections.forEach(Served::finish);
            return host.awaitDisconnected(deadline);
        }

        @Override
        public int abort() {
            int given = host.inflight();
            connections.forEach(Served::cut);
            return given;
        }
    }
}
