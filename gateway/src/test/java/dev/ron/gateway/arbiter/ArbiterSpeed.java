package dev.ron.gateway.arbiter;

import dev.ron.gateway.arbiter.drr.Drr;
import java.util.ArrayDeque;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Prints what the arbiter costs per request on this machine; a quick look, not a benchmark of record. */
final class ArbiterSpeed {
    private static final int ROUNDS = 7;

    private ArbiterSpeed() {}

    public static void main(String[] args) {
        System.out.printf("arrive + release, one tenant, uncontended    %6.0f ns%n", median(() -> uncontended(1)));
        System.out.printf("arrive + release, eight tenants, uncontended %6.0f ns%n", median(() -> uncontended(8)));
        double one = median(() -> contended(1));
        double eight = median(() -> contended(8));
        System.out.printf("queued behind a full upstream, one tenant    %6.0f ns%n", one);
        System.out.printf("queued behind a full upstream, eight tenants %6.0f ns%n", eight);
        System.out.printf("refused by a full house                      %6.0f ns%n", median(ArbiterSpeed::refused));
    }

    private interface Run {
        double nanosPerRequest();
    }

    private static double median(Run run) {
        double[] rounds = new double[ROUNDS];
        for (int i = 0; i < ROUNDS; i++) {
            rounds[i] = run.nanosPerRequest();
        }
        Arrays.sort(rounds);
        return rounds[ROUNDS / 2];
    }

    private static final class Taker implements Caller {
        @Nullable
        Slot slot;

        @Override
        public void granted(Slot granted) {
            slot = granted;
        }

        @Override
        public void refused(Refusal why) {}
    }

    private static TenantKey[] tenants(int count) {
        TenantKey[] keys = new TenantKey[count];
        Arrays.setAll(keys, i -> new TenantKey("issuer", "tenant-" + i));
        return keys;
    }

    private static double uncontended(int tenants) {
        Arbiter arbiter =
                new Arbiter(ArbiterSettings.of(64), Runnable::run, new Bench(ArbiterSettings.of(1)), Drr::new);
        TenantKey[] keys = tenants(tenants);
        Taker taker = new Taker();
        int requests = 2_000_000;
        long now = 1_000_000_000;
        long start = System.nanoTime();
        for (int i = 0; i < requests; i++) {
            now += 1_000;
            arbiter.arrive(Job.of(keys[i % tenants], now).on(Runnable::run, taker), now);
            Slot slot = taker.slot;
            if (slot != null) {
                slot.release(now);
            }
        }
        return (double) (System.nanoTime() - start) / requests;
    }

    /** Every request waits behind a hundred others; each release grants the next. */
    private static double contended(int tenants) {
        ArrayDeque<Runnable> tasks = new ArrayDeque<>();
        Arbiter arbiter = new Arbiter(ArbiterSettings.of(8), tasks::add, new Bench(ArbiterSettings.of(1)), Drr::new);
        TenantKey[] keys = tenants(tenants);
        ArrayDeque<Slot> running = new ArrayDeque<>();
        Caller caller = new Caller() {
            @Override
            public void granted(Slot slot) {
                running.add(slot);
            }

            @Override
            public void refused(Refusal why) {
                throw new IllegalStateException(why.reason());
            }
        };
        int requests = 500_000;
        long now = 1_000_000_000;
        long start = System.nanoTime();
        for (int i = 0; i < requests; i++) {
            now += 1_000;
            arbiter.arrive(Job.of(keys[i % tenants], now).on(tasks::add, caller), now);
            if (i > 100) {
                Slot done = running.poll();
                if (done != null) {
                    done.release(now);
                }
            }
            Runnable task;
            while ((task = tasks.poll()) != null) {
                task.run();
            }
        }
        return (double) (System.nanoTime() - start) / requests;
    }

    private static double refused() {
        ArrayDeque<Runnable> tasks = new ArrayDeque<>();
        Arbiter arbiter = new Arbiter(ArbiterSettings.of(1), tasks::add, new Bench(ArbiterSettings.of(1)), Drr::new);
        TenantKey key = new TenantKey("issuer", "flood");
        Taker taker = new Taker();
        long now = 1_000_000_000;
        for (int i = 0; i < 600; i++) {
            arbiter.arrive(Job.of(key, now).on(tasks::add, taker), now);
        }
        int requests = 2_000_000;
        long start = System.nanoTime();
        for (int i = 0; i < requests; i++) {
            arbiter.arrive(Job.of(key, now).on(tasks::add, taker), now);
        }
        return (double) (System.nanoTime() - start) / requests;
    }
}
