package dev.ron.gateway.arbiter.drr;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Callers without a name, who share one: each of their sources has its turn. */
class PartedListTest {
    private static final class From extends Ticket {
        private final String name;

        From(String name, int source) {
            super(source);
            this.name = name;
        }
    }

    private static List<String> drained(Drr drr) {
        List<String> order = new ArrayList<>();
        for (Ticket next = drr.choose(0, 0, 8); next != null; next = drr.choose(0, 0, 8)) {
            order.add(((From) next).name);
            drr.remove(next);
        }
        return order;
    }

    private static From file(Drr drr, Flow flow, String name, int source) {
        From ticket = new From(name, source);
        ticket.belongTo(flow);
        drr.file(ticket, false);
        return ticket;
    }

    @Test
    void aFloodFromOneAddressWaitsBehindNobodyElse() {
        Shares shares = new Shares();
        Drr drr = new Drr(shares);
        Flow anonymous = new Flow(new Usage(), 1, 1000, 0);
        shares.activate(anonymous, 1);
        for (int i = 0; i < 4; i++) {
            file(drr, anonymous, "flood" + i, 7);
        }
        file(drr, anonymous, "one", 1);
        file(drr, anonymous, "two", 2);
        assertThat(drained(drr)).containsExactly("flood0", "one", "two", "flood1", "flood2", "flood3");
    }

    @Test
    void whenThereIsNoRoomTheLongestSourceGivesWay() {
        Shares shares = new Shares();
        Drr drr = new Drr(shares);
        Flow anonymous = new Flow(new Usage(), 1, 1000, 0);
        shares.activate(anonymous, 1);
        From last = null;
        for (int i = 0; i < 4; i++) {
            last = file(drr, anonymous, "flood" + i, 7);
        }
        From newcomer = new From("one", 1);
        newcomer.belongTo(anonymous);
        assertThat(drr.givesWayTo(newcomer)).isSameAs(last);
        From another = new From("flood", 7);
        another.belongTo(anonymous);
        assertThat(drr.givesWayTo(another)).isNull();
    }
}
