package dev.ron.token.pct;

import dev.ron.token.Refused;

/** A complete token: the chain and the proof that its bearer holds the end of it. */
public record Pct(Layout layout, Chain chain, Proof proof) {
    /** Parses without checking any signature; the proof is read but not compared either. */
    public static Pct parse(String text, Caps caps) throws Refused {
        Layout layout = Layout.of(text, caps);
        Proof proof = layout.proof();
        return new Pct(layout, Chain.parse(layout, caps), proof);
    }

    /** The text that a holder presents. */
    public String text() {
        return join(layout.rootText() + layout.branchText(), proof);
    }

    static String join(String chainText, Proof proof) {
        return chainText + "~" + proof.text();
    }

    @Override
    public String toString() {
        return "Pct[" + chain + ", " + proof + "]";
    }
}
