package dev.ron.service.lifecycle;

import dev.ron.kernel.call.Ask;
import dev.ron.kernel.channel.Delivery;
import dev.ron.kernel.channel.Mailbox;
import dev.ron.kernel.task.TaskScope;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.topology.MailboxSpec;
import dev.ron.kernel.topology.OnDrain;
import dev.ron.kernel.topology.TaskSpec;
import dev.ron.kernel.topology.Topology;
import dev.ron.service.config.Change;
import dev.ron.service.config.Default;
import dev.ron.service.config.OnChange;
import dev.ron.service.config.Section;
import dev.ron.service.health.Need;
import dev.ron.service.status.Plane;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The smallest whole service: doubles numbers, fails on negative ones. */
final class ToyService implements RonService {
    static final MailboxSpec WORK =
            Topology.mailbox("work", 4).from("listener").to("worker").onDrain(OnDrain.FINISH);
    static final TaskSpec WORKER = Topology.task("worker").critical(TaskSpec.Criticality.CRITICAL);

    record ToyConfig(
            @Default("2") @OnChange(Change.HOT) int factor,
            @Default("1") int capacity) {}

    private final String name;
    private @Nullable ServiceContext context;
    private @Nullable Mailbox<Ask<Integer, Integer>> work;

    ToyService(String name) {
        this.name = name;
    }

    Section<ToyConfig> section() {
        return Section.of(name, ToyConfig.class);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Topology topology() {
        return Topology.of(name, "doubles numbers", WORK, WORKER);
    }

    @Override
    public void start(ServiceContext given) {
        context = given;
        Mailbox<Ask<Integer, Integer>> box = given.kernel().mailbox(WORK, (ask, cause) -> {});
        work = box;
        given.readiness().queue(box, Need.WRITE);
        given.kernel().spawn(WORKER, scope -> run(box, scope));
    }

    private void run(Mailbox<Ask<Integer, Integer>> box, TaskScope scope) throws Exception {
        while (true) {
            Optional<Delivery<Ask<Integer, Integer>>> next = box.receive(Deadline.never(scope.clock()));
            if (next.isEmpty()) {
                return;
            }
            next.get().handle(ask -> {
                if (ask.question() < 0) {
                    throw new IllegalArgumentException("negative");
                }
                ask.reply()
                        .complete(ask.question()
                                * context().config(ToyConfig.class).factor());
            });
        }
    }

    Ask<Integer, Integer> ask(int n) {
        Ask<Integer, Integer> ask = Ask.of(n);
        if (work == null) {
            throw new IllegalStateException("not started");
        }
        work.trySend(ask);
        return ask;
    }

    private ServiceContext context() {
        if (context == null) {
            throw new IllegalStateException("not started");
        }
        return context;
    }

    @Override
    public List<Plane> planes() {
        return List.of(Plane.healthy(name + ".doubling"));
    }

    @Override
    public Map<String, Object> statusData() {
        return Map.of("factor", context().config(ToyConfig.class).factor());
    }
}
