package dev.ron.ledger.model;

import dev.ron.ledger.json.Json;
import dev.ron.ledger.json.Quoted;
import java.util.regex.Pattern;

/** The shapes of identifiers: ASCII only, so that what a signer reads on a screen is what is hashed. */
final class Grammar {
    static final Grammar ID = new Grammar("descriptor id", "[a-z0-9][a-z0-9._:@-]{0,127}");
    static final Grammar KIND = new Grammar("kind", "[a-z][a-z0-9_]*(\\.[a-z][a-z0-9_]*)*", 64);
    static final Grammar PROPOSAL = new Grammar("proposal id", "p_[a-z2-7]{26}");
    static final Grammar ORG = new Grammar("org", "[a-z0-9][a-z0-9.-]{0,62}");
    static final Grammar SIGNER = new Grammar("signer id", "org:[a-z0-9][a-z0-9.-]{0,62}#[a-z0-9][a-z0-9._-]{0,62}");
    static final Grammar ORIGIN = new Grammar("origin", "[!-*,-~]{1,255}");
    static final Grammar SEMVER = new Grammar("schema version", "(0|[1-9][0-9]{0,4})(\\.(0|[1-9][0-9]{0,4})){2}");
    static final Grammar PRINCIPAL = new Grammar("proposer", "[!-~]{1,200}");
    static final Grammar NONCE = new Grammar("nonce", "[A-Za-z0-9_-]{1,64}");
    static final Grammar LABEL = new Grammar("label", "[a-z0-9][a-z0-9._/-]{0,62}");

    private final String name;
    private final Pattern pattern;
    private final int maxLength;

    private Grammar(String name, String regex) {
        this(name, regex, Integer.MAX_VALUE);
    }

    private Grammar(String name, String regex, int maxLength) {
        this.name = name;
        this.pattern = Pattern.compile(regex);
        this.maxLength = maxLength;
    }

    void require(String text) {
        if (text.length() > maxLength || !pattern.matcher(text).matches()) {
            throw new IllegalArgumentException(name + " " + Quoted.of(text) + " (expected: " + pattern + ")");
        }
    }

    /** A version, revision or time. */
    static void requireNatural(String name, long value) {
        if (value < 0 || value > Json.MAX_INTEGER) {
            throw new IllegalArgumentException(name + " " + value + " (expected: 0..2^53-1)");
        }
    }

    static void requireAtMost(String name, long value, long max) {
        if (value > max) {
            throw new IllegalArgumentException(name + " " + value + " (expected: at most " + max + ")");
        }
    }
}
