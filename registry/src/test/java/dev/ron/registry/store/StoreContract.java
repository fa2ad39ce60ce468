package dev.ron.registry.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What every store owes its writer. */
abstract class StoreContract {

    /** A store that is empty the first time and has what was appended the next times. */
    abstract Store open() throws IOException;

    static Rec rec(String text) {
        return new Rec(Rec.Type.AUDIT, text.getBytes(StandardCharsets.UTF_8));
    }

    static List<String> texts(Store store) throws IOException {
        List<String> seen = new ArrayList<>();
        Store.Recovery _ = store.replay((seq, records) -> {
            for (Rec rec : records) {
                seen.add(seq + ":" + new String(rec.body(), StandardCharsets.UTF_8));
            }
        });
        return seen;
    }

    @Test
    void whatWasAppendedIsReadBackInOrder() throws IOException {
        try (Store store = open()) {
            assertThat(texts(store)).isEmpty();
            store.append(1, List.of(rec("a"), rec("b")));
            store.append(2, List.of(rec("c")));
            assertThat(new String(store.read(new Ref(1, 1)).body(), StandardCharsets.UTF_8))
                    .isEqualTo("b");
            assertThat(new String(store.read(new Ref(2, 0)).body(), StandardCharsets.UTF_8))
                    .isEqualTo("c");
            assertThat(store.next()).isEqualTo(3);
        }
    }

    @Test
    void replayingAgainGivesTheSame() throws IOException {
        try (Store store = open()) {
            texts(store);
            store.append(1, List.of(rec("a"), rec("b")));
            store.append(2, List.of(rec("c")));
            assertThat(texts(store)).containsExactly("1:a", "1:b", "2:c");
            store.append(3, List.of(rec("d")));
            assertThat(texts(store)).containsExactly("1:a", "1:b", "2:c", "3:d");
        }
    }

    @Test
    void aWriterThatIsBehindChangesNothing() throws IOException {
        try (Store store = open()) {
            texts(store);
            store.append(1, List.of(rec("a")));
            assertThatThrownBy(() -> store.append(1, List.of(rec("x"))))
                    .isInstanceOfSatisfying(
                            StoreFault.class, fault -> assertThat(fault.kind()).isEqualTo(StoreFault.Kind.MOVED));
            store.append(2, List.of(rec("b")));
            assertThat(texts(store)).containsExactly("1:a", "2:b");
        }
    }

    @Test
    void whatIsNotThereIsNotMadeUp() throws IOException {
        try (Store store = open()) {
            texts(store);
            store.append(1, List.of(rec("a")));
            assertThatThrownBy(() -> store.read(new Ref(2, 0))).isInstanceOf(IOException.class);
        }
    }
}
