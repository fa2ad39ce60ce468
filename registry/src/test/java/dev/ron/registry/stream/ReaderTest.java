package dev.ron.registry.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.http.message.QueryParams;
import dev.ron.kernel.meter.Meter;
import dev.ron.ledger.json.CanonicalJson;
import dev.ron.ledger.json.Json;
import dev.ron.ledger.json.ObjWriter;
import dev.ron.ledger.model.Base;
import dev.ron.ledger.model.Body;
import dev.ron.ledger.model.Draft;
import dev.ron.ledger.model.Item;
import dev.ron.ledger.model.Op;
import dev.ron.registry.book.Registry;
import dev.ron.registry.book.Signers;
import dev.ron.registry.store.MemoryStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** A reader gets every commit in order, or is told which it missed. */
class ReaderTest {
    private static final int PATIENCE = 5;

    private final Signers council = new Signers(2, 3);
    private final Ring ring = new Ring();
    private final Line line = new Line();
    private final Registry registry;

    ReaderTest() throws IOException {
        registry = council.create(new MemoryStore());
        ring.start(1);
    }

    /** The far side of the network: takes what it is given while it has room. */
    static final class Line implements Reader.Out {
        final List<String> heard = new ArrayList<>();
        private int room = Integer.MAX_VALUE;
        private boolean refusing;

        /** From now on takes nothing although it seems to have room, as a WebSocket does. */
        void refuse(boolean now) {
            refusing = now;
        }

        @Override
        public boolean writable() {
            return room > 0;
        }

        @Override
        public boolean send(StreamEvent event) {
            room--;
            return !refusing && heard.add("v" + event.version());
        }

        @Override
        public boolean say(String event, Json.Obj data) {
            return !refusing && heard.add(event + " " + CanonicalJson.text(data));
        }

        @Override
        public void end() {
            heard.add("end");
        }
    }

    private void commits(int count) throws IOException {
        for (int i = 0; i < count; i++) {
            long version = ring.newest() + 1;
            council.commit(registry, council.put("svc." + version, 0, "http://" + version));
            ring.add(registry.commitNews(version));
        }
    }

    private Reader reader(long next, String query) {
        return new Reader(
                ring,
                Filter.of(QueryParams.parse(query)),
                next,
                PATIENCE,
                Meter.none().counter("lagged"),
                line);
    }

    private static List<String> versions(long from, long to) {
        return LongStream.rangeClosed(from, to).mapToObj(v -> "v" + v).toList();
    }

    @Test
    void whoResumesGetsEverythingOnceAndInOrder() throws IOException {
        commits(20);
        Reader reader = reader(4, "");
        reader.pump();
        reader.pump();
        assertThat(line.heard).isEqualTo(versions(4, 21));
    }

    @Test
    void whoReadsSlowlyIsToldWhatItMissedAndGoesOnAtTheNewest() throws IOException {
        commits(3);
        Reader reader = reader(2, "");
        reader.pump();
        assertThat(line.heard).isEqualTo(versions(2, 4));
        line.room = 0;
        commits(20);
        reader.pump();
        assertThat(line.heard).as("no room, nothing is kept for it").hasSize(3);
        line.room = Integer.MAX_VALUE;
        reader.pump();
        assertThat(line.heard.subList(3, line.heard.size()))
                .containsExactly("registry.lagged {\"head\":24,\"missed_from\":5,\"missed_to\":23}", "v24");
    }

    @Test
    void whatWasMissedIsToldAlsoToWhoHadNoRoomForThatWord() throws IOException {
        commits(3);
        Reader reader = reader(2, "");
        reader.pump();
        line.refuse(true);
        commits(20);
        reader.pump();
        assertThat(line.heard).hasSize(3);
        line.refuse(false);
        reader.pump();
        assertThat(line.heard.subList(3, line.heard.size()))
                .containsExactly("registry.lagged {\"head\":24,\"missed_from\":5,\"missed_to\":23}", "v24");
    }

    @Test
    void whoWantsSomeIdsHearsOnlyOfThem() throws IOException {
        commits(20);
        reader(2, "ids=svc.3,svc.7").pump();
        assertThat(line.heard).containsExactly("v3", "v7");
    }

    private void commit(Body body) throws IOException {
        ring.add(registry.commitNews(council.commit(registry, council.propose(body))));
    }

    private static Op put(String id, String kind) {
        return new Op.Put(
                id, 0, Draft.of(kind, new ObjWriter().put("url", "http://a").end()));
    }

    private Base head() {
        return new Base(registry.view().version(), registry.view().ledger().headHash());
    }

    @Test
    void whoWantsAnIdHearsOfACommitThatChangesMoreThanItsNewsLists() throws IOException {
        commit(new Body.Change(
                IntStream.range(0, 65).mapToObj(i -> put("svc." + i, "service")).toList()));
        reader(2, "ids=svc.64").pump();
        assertThat(line.heard).containsExactly("v2");
    }

    @Test
    void whoWantsAnIdHearsOfAWholeSetThatRemovesIt() throws IOException {
        commit(new Body.Change(List.of(put("svc.a", "service"))));
        commit(new Body.ReplaceAll(head(), List.of(new Item("quota.b", Draft.of("quota", new ObjWriter().end())))));
        reader(3, "ids=svc.a").pump();
        reader(3, "kinds=service").pump();
        assertThat(line.heard).containsExactly("v3", "v3");
    }

    @Test
    void whoWantsAKindHearsOfWhatIsDeprecatedOrRemoved() throws IOException {
        commit(new Body.Change(List.of(put("svc.a", "service"), put("quota.b", "quota"))));
        commit(new Body.Change(List.of(new Op.Deprecate("svc.a", 1))));
        commit(new Body.Change(List.of(new Op.Remove("svc.a", 2))));
        commit(new Body.Change(List.of(new Op.Remove("quota.b", 1))));
        reader(3, "kinds=service").pump();
        assertThat(line.heard).containsExactly("v3", "v4");
    }

    // news of a past commit is made from what is there now
    @Test
    void whoWantsAKindHearsOfADeprecationWhoseDescriptorWasChangedSince() throws IOException {
        council.commit(registry, council.propose(new Body.Change(List.of(put("svc.a", "service")))));
        council.commit(registry, council.propose(new Body.Change(List.of(new Op.Deprecate("svc.a", 1)))));
        council.commit(registry, council.propose(new Body.Change(List.of(new Op.Remove("svc.a", 2)))));
        for (long version = 2; version <= 4; version++) {
            ring.add(registry.commitNews(version));
        }
        reader(2, "kinds=service").pump();
        assertThat(line.heard).containsExactly("v2", "v3", "v4");
    }
}
