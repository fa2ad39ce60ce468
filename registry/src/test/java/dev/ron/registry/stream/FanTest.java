package dev.ron.registry.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.http.message.QueryParams;
import dev.ron.kernel.meter.Meter;
import dev.ron.ledger.json.ObjWriter;
import dev.ron.registry.book.Registry;
import dev.ron.registry.book.Signers;
import dev.ron.registry.store.MemoryStore;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A pass over many readers gives way, and forgets nobody. */
class FanTest {
    private static final int READERS = 100;

    private final Signers council = new Signers(2, 3);
    private final Ring ring = new Ring();
    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final Fan fan = new Fan(channel.eventLoop());
    private final List<ReaderTest.Line> lines =
            Stream.generate(ReaderTest.Line::new).limit(READERS).toList();
    private final Registry registry;

    FanTest() throws IOException {
        registry = council.create(new MemoryStore());
        ring.start(1);
        Filter all = Filter.of(QueryParams.parse(""));
        lines.forEach(line -> fan.add(new Reader(ring, all, 2, 64, Meter.none().counter("lagged"), line)));
    }

    @AfterEach
    void end() {
        assertThat(channel.finishAndReleaseAll()).as("nothing was written").isFalse();
    }

    private void commit() throws IOException {
        long version = ring.newest() + 1;
        council.commit(registry, council.put("svc." + version, 0, "http://" + version));
        ring.add(registry.commitNews(version));
        fan.wake();
    }

    private void pass(long micros) {
        channel.advanceTimeBy(micros, TimeUnit.MICROSECONDS);
        channel.runScheduledPendingTasks();
    }

    private long heard(String version) {
        return lines.stream().filter(line -> line.heard.contains(version)).count();
    }

    @Test
    void theAnswerIsOutBeforeTheFirstReaderIsTold() throws IOException {
        commit();
        pass(900);
        assertThat(heard("v2")).isZero();
        pass(200);
        assertThat(heard("v2")).as("one slice, then the loop does other things").isBetween(1L, READERS / 2L);
    }

    // v2 is not taken | no commit follows | a beat   ->  v2 is offered again
    @Test
    void whatAReaderDidNotTakeComesWithTheNextBeat() throws IOException {
        lines.forEach(line -> line.refuse(true));
        commit();
        for (int i = 0; i < 50; i++) {
            pass(100);
        }
        assertThat(heard("v2")).isZero();
        lines.forEach(line -> line.refuse(false));
        fan.beat(new ObjWriter().put("version", 2).end());
        for (int i = 0; i < 50; i++) {
            pass(100);
        }
        assertThat(lines).allSatisfy(line -> assertThat(line.heard).containsExactly("v2", "heartbeat {\"version\":2}"));
    }

    // a slice is told of v2 | v3 is committed | the other slices   ->  everybody hears of both
    @Test
    void aCommitInTheMiddleOfAPassReachesThoseWhoWerePassedAlready() throws IOException {
        commit();
        pass(1_000);
        assertThat(heard("v2")).isBetween(1L, READERS - 1L);
        commit();
        for (int i = 0; i < 50; i++) {
            pass(100);
        }
        assertThat(lines).allSatisfy(line -> assertThat(line.heard).containsExactly("v2", "v3"));
    }
}
