package dev.ron.token.explain;

import dev.ron.token.Reason;
import java.util.List;

/**
 * A token in words. It holds no text of the token and no proof, so it may be printed.
 *
 * @param facts who issued it to whom, for what and how long
 * @param restrictions each caveat in words, with the block it stands in
 * @param objections why the token would be refused; empty if nothing was found against it
 * @param unchecked what could not be looked at, and what would be needed
 */
public record Explanation(
        List<String> facts, List<Restriction> restrictions, List<Objection> objections, List<String> unchecked) {
    /** One caveat: block 0 is the root. */
    public record Restriction(int block, String type, String words) {}

    /** One reason against the token. */
    public record Objection(Reason reason, String words) {}
}
