package dev.ron.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** Expects a refusal with its reason and a part of its sentence. */
public final class Refusals {
    private Refusals() {}

    public static void refuses(ThrowingCallable call, Reason reason, String... parts) {
        Refused refused = catchThrowableOfType(Refused.class, call);
        assertThat(refused).as("expected a refusal: %s", reason).isNotNull();
        assertThat(refused.reason()).as(refused.detail()).isEqualTo(reason);
        for (String part : parts) {
            assertThat(refused.detail()).contains(part);
        }
    }
}
