package dev.ron.passport.policy;

import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import dev.ron.passport.PassportConfig;
import dev.ron.token.caveat.Caveat;
import java.util.List;
import java.util.stream.Stream;

/**
 * What the caveats of a token must say, whoever asks for it.
 *
 * @param required types of which each token carries at least one
 * @param bytes the largest body that may be asked for; of this and the others 0 means any
 * @param budgetReqs the most requests of a budget
 * @param budgetBytes the most bytes of a budget
 * @param rateRps the most requests per second, and at once
 */
public record CaveatBounds(List<String> required, long bytes, long budgetReqs, long budgetBytes, long rateRps) {
    public static final CaveatBounds NONE = new CaveatBounds(List.of(), 0, 0, 0, 0);

    public CaveatBounds {
        required = List.copyOf(required);
    }

    static CaveatBounds of(PassportConfig.IssuerPolicy rules) {
        PassportConfig.CaveatsMax most = rules.caveatsMax();
        return new CaveatBounds(
                rules.caveatsRequired(),
                most.bytes().count(),
                most.budgetReqs(),
                most.budgetBytes().count(),
                most.rateRps());
    }

    /** What both ask for. */
    CaveatBounds and(CaveatBounds other) {
        return new CaveatBounds(
                Stream.concat(required.stream(), other.required.stream())
                        .distinct()
                        .toList(),
                tighter(bytes, other.bytes),
                tighter(budgetReqs, other.budgetReqs),
                tighter(budgetBytes, other.budgetBytes),
                tighter(rateRps, other.rateRps));
    }

    private static long tighter(long one, long other) {
        return one == 0 || other == 0 ? Math.max(one, other) : Math.min(one, other);
    }

    /** Refuses what is missing or too much; what is inherited counts as there, and was within its own bounds. */
    public void require(List<Caveat> asked, List<Caveat> inherited) {
        for (String type : required) {
            if (Stream.concat(asked.stream(), inherited.stream())
                    .noneMatch(caveat -> caveat.type().equals(type))) {
                throw new RonException(
                        Code.BAD_REQUEST, "caveat_out_of_bounds", "every token carries a caveat " + type + " here");
            }
        }
        asked.forEach(this::requireWithin);
    }

    private void requireWithin(Caveat caveat) {
        switch (caveat) {
            case Caveat.Bytes(long max) -> within("bytes", max, bytes);
            case Caveat.Rate(long perSecond, long burst) -> within("rate.rps", Math.max(perSecond, burst), rateRps);
            case Caveat.Budget budget -> {
                budget.requests().ifPresent(most -> within("budget.reqs", most, budgetReqs));
                budget.bytes().ifPresent(most -> within("budget.bytes", most, budgetBytes));
            }
            default -> {
                // says nothing that is counted
            }
        }
    }

    private static void within(String what, long asked, long most) {
        if (most > 0 && asked > most) {
            throw new RonException(
                    Code.BAD_REQUEST,
                    "caveat_out_of_bounds",
                    what + ": " + asked + " (expected: at most " + most + ")");
        }
    }
}
