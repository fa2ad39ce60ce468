package dev.ron.gateway.auth;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class FairLineTest {

    @Test
    void aFloodWaitsForItselfAndNotInFrontOfOthers() {
        FairLine<String, String> line = new FairLine<>(100);
        for (int i = 0; i < 50; i++) {
            line.add("flood", "f" + i);
        }
        line.add("other", "o");
        assertThat(List.of(Objects.requireNonNull(line.poll()), Objects.requireNonNull(line.poll())))
                .containsExactly("f0", "o");
    }

    @Test
    void whenItIsFullTheLongestGivesWay() {
        FairLine<String, String> line = new FairLine<>(3);
        line.add("flood", "f0");
        line.add("flood", "f1");
        line.add("flood", "f2");
        assertThat(line.add("other", "o")).isEqualTo("f2");
        assertThat(line.add("flood", "f3")).isEqualTo("f3");
    }

    /** Nothing is lost, nothing comes twice, each key keeps its order, and turns differ by one at most. */
    @Property(tries = 500)
    void everyItemHasOneEnd(@ForAll @Size(max = 60) List<@IntRange(min = 0, max = 4) Integer> keys) {
        FairLine<Integer, String> line = new FairLine<>(20);
        List<String> ended = new ArrayList<>();
        for (int i = 0; i < keys.size(); i++) {
            String out = line.add(keys.get(i), keys.get(i) + ":" + i);
            if (out != null) {
                ended.add(out);
            }
        }
        Map<Integer, Integer> last = new HashMap<>();
        for (String next = line.poll(); next != null; next = line.poll()) {
            int key = Integer.parseInt(next.substring(0, 1));
            int number = Integer.parseInt(next.substring(2));
            assertThat(number).isGreaterThan(last.getOrDefault(key, -1));
            last.put(key, number);
            ended.add(next);
        }
        assertThat(ended).hasSize(keys.size()).doesNotHaveDuplicates();
        assertThat(line.isEmpty()).isTrue();
    }
}
