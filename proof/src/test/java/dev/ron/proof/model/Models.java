package dev.ron.proof.model;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.kernel.time.Clock;
import dev.ron.kernel.time.Deadline;
import org.jetbrains.lincheck.Lincheck;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;

/** How long the model checker looks: a taste in the normal run, more with {@code -Dron.long=true}. */
final class Models {
    private static final int FACTOR = Boolean.getBoolean("ron.long") ? 20 : 1;

    private Models() {}

    /** Every result of the operations must be one that the sequential specification gives in some order. */
    static void holds(Class<?> operations, Class<?> specification) {
        options(8).sequentialSpecification(specification).check(operations);
    }

    static void isCaught(Class<?> operations, Class<?> specification) {
        assertThatThrownBy(
                        () -> options(12).sequentialSpecification(specification).check(operations))
                .isInstanceOf(LincheckAssertionError.class);
    }

    private static ModelCheckingOptions options(int iterations) {
        return new ModelCheckingOptions()
                .iterations(iterations * FACTOR)
                .invocationsPerIteration(400 * FACTOR)
                .threads(3)
                .actorsPerThread(2)
                .actorsBefore(2)
                .actorsAfter(2)
                .minimizeFailedScenario(false);
    }

    /** The scenario, a few threads with their assertions, must end well in every interleaving. */
    static void endsWell(Runnable scenario) {
        // Once in the open, so that every class is initialised: the checker cannot see one thread wait for another
        // there.
        scenario.run();
        Lincheck.runConcurrentTest(600 * FACTOR, scenario);
    }

    static void hangsOrFails(Runnable scenario) {
        assertThatThrownBy(() -> Lincheck.runConcurrentTest(600 * FACTOR, scenario))
                .isInstanceOf(LincheckAssertionError.class);
    }

    /** Asked for inside the scenario: what a constant holds was made before the checker could prepare its class. */
    static Deadline never() {
        return Deadline.never(Clock.system());
    }

    /** A thread of a scenario; the checker follows a join only where the variable is a plain Thread. */
    static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    static void check(boolean claim, String otherwise) {
        if (!claim) {
            throw new AssertionError(otherwise);
        }
    }
}
