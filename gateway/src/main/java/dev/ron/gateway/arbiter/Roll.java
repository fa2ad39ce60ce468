package dev.ron.gateway.arbiter;

import org.jspecify.annotations.Nullable;

/**
 * Every undecided job the scheduler has met, whatever the order of service makes of it.
 *
 * <p>It is kept apart from the queues so that a failure in them loses nobody. With at most a few hundred jobs a look
 * through it takes about a microsecond, which every ten milliseconds is cheaper than a timer per job.
 */
final class Roll {
    private final @Nullable Job[] jobs;
    private int size;

    Roll(int capacity) {
        this.jobs = new Job[capacity];
    }

    int size() {
        return size;
    }

    Job get(int index) {
        Job job = jobs[index];
        if (job == null) {
            throw new IllegalStateException("no job at " + index + " of " + size);
        }
        return job;
    }

    void add(Job job) {
        jobs[size] = job;
        job.rollIndex = size;
        size++;
    }

    /** The last takes the place of the one that leaves; so a look through it goes from the end to the start. */
    void remove(Job job) {
        size--;
        Job last = jobs[size];
        jobs[size] = null;
        if (last != null && last != job) {
            jobs[job.rollIndex] = last;
            last.rollIndex = job.rollIndex;
        }
        job.rollIndex = -1;
    }
}
