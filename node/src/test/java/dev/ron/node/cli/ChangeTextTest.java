package dev.ron.node.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.ledger.hash.B3;
import dev.ron.ledger.json.Json;
import dev.ron.ledger.json.ObjWriter;
import dev.ron.ledger.model.Base;
import dev.ron.ledger.model.Body;
import dev.ron.ledger.model.ChangeSet;
import dev.ron.ledger.model.Descriptor;
import dev.ron.ledger.model.Draft;
import dev.ron.ledger.model.Item;
import dev.ron.ledger.model.Op;
import dev.ron.ledger.model.Signer;
import dev.ron.ledger.model.SignerSet;
import dev.ron.registry.keys.SignerKey;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Who approves sees every member that a change set changes. */
class ChangeTextTest {
    private static final Base BASE = new Base(7, B3.ZERO);
    private static final SignerKey ANN = key("org:acme#ann", false);
    private static final SignerKey BEN = key("org:acme#ben", true);
    private static final SignerKey CEM = key("org:else#cem", true);
    private static final SignerSet SET = new SignerSet(
            1,
            2,
            0,
            1,
            72,
            false,
            new SignerSet.Thresholds(2, 2, 3),
            List.of(ANN.signer(), BEN.signer(), CEM.signer()));

    private final Map<String, Descriptor> held = new TreeMap<>();

    private static SignerKey key(String id, boolean hybrid) {
        return SignerKey.generate(id, hybrid, new SecureRandom());
    }

    private String text(Body body) {
        ChangeText.Present present = new ChangeText.Present() {
            @Override
            public Optional<Descriptor> descriptor(String id) {
                return Optional.ofNullable(held.get(id));
            }

            @Override
            public List<String> ids() {
                return List.copyOf(held.keySet());
            }
        };
        return String.join("\n", new ChangeText(present, SET).of(ChangeSet.of(body)));
    }

    private void hold(String id, Descriptor.State state, Draft content) {
        held.put(id, new Descriptor(id, 3, state, content));
    }

    private static Draft service(String member, String value) {
        return Draft.of("service", new ObjWriter().put(member, value).end());
    }

    @Test
    void everyRuleOfTheSignerSetIsCompared() {
        SignerSet weaker = new SignerSet(2, 1, 1, 2, 24, true, new SignerSet.Thresholds(1, 2, 2), SET.signers());
        assertThat(text(new Body.Rotate(BASE, weaker)))
                .contains("set 1 (2 of 3) becomes set 2 (1 of 3)")
                .contains("- m: 2", "+ m: 1")
                .contains("- k_pq: 0", "+ k_pq: 1")
                .contains("- min_orgs: 1", "+ min_orgs: 2")
                .contains("- proposal_ttl_h: 72", "+ proposal_ttl_h: 24")
                .contains("- auto_commit: false", "+ auto_commit: true")
                .contains("- thresholds.change: 2", "+ thresholds.change: 1")
                .contains("- thresholds.supersede: 3", "+ thresholds.supersede: 2")
                .doesNotContain("thresholds.signer_set");
    }

    @Test
    void everyKeyOfASignerIsShown() {
        Signer swapped = new Signer(
                BEN.signerId(),
                "acme",
                List.of(
                        BEN.signer().keys().getFirst(),
                        key(BEN.signerId(), true).signer().keys().getLast()),
                OptionalLong.empty());
        List<Signer> signers = new ArrayList<>(List.of(ANN.signer().revokedAt(8), swapped, CEM.signer()));
        String said = text(new Body.Rotate(
                BASE, new SignerSet(2, 2, 0, 1, 72, false, new SignerSet.Thresholds(2, 2, 2), signers)));
        assertThat(said).contains("- org:acme#ann is revoked");
        BEN.signer().keys().forEach(key -> assertThat(said).contains(key.keyId().text()));
        swapped.keys().forEach(key -> assertThat(said).contains(key.keyId().text()));
        assertThat(said).contains("- org:acme#ben with ed25519 ", "+ org:acme#ben with ed25519 ", ", ml-dsa-65 ");
    }

    @Test
    void aPutShowsTheOldKindAndStateToo() {
        hold("svc.a", Descriptor.State.DEPRECATED, service("url", "http://a"));
        Draft other = Draft.of(
                "passport.issuer_policy", new ObjWriter().put("url", "http://a").end());
        assertThat(text(new Body.Change(List.of(new Op.Put("svc.a", 3, other)))))
                .contains("changes svc.a (passport.issuer_policy)")
                .contains("- kind: service", "+ kind: passport.issuer_policy")
                .contains("- state: deprecated", "+ state: published")
                .doesNotContain("url");
    }

    @Test
    void membersThatLookAlikeAreShownEach() {
        Json.Obj nested = new ObjWriter()
                .put("a.b", "one")
                .put("a", new ObjWriter().put("b", "two").end())
                .put("label x", "three")
                .end();
        Draft draft = new Draft("service", nested, new TreeMap<>(Map.of("x", "four")), OptionalLong.empty());
        assertThat(text(new Body.Change(List.of(new Op.Put("svc.a", 0, draft)))))
                .contains("+ body[\"a.b\"]: \"one\"", "+ body.a.b: \"two\"")
                .contains("+ body[\"label x\"]: \"three\"", "+ label x: four");
    }

    @Test
    void replacingEverythingNamesWhatGoes() {
        hold("svc.kept", Descriptor.State.PUBLISHED, service("url", "http://a"));
        hold("svc.gone", Descriptor.State.PUBLISHED, service("url", "http://b"));
        assertThat(text(new Body.ReplaceAll(BASE, List.of(new Item("svc.kept", service("url", "http://a"))))))
                .contains("replaces everything by 1 descriptors", "changes svc.kept", "removes svc.gone")
                .doesNotContain("removes svc.kept");
    }

    @Test
    void whatWasRemovedIsAddedAnew() {
        hold("svc.a", Descriptor.State.REMOVED, Draft.of("service", Json.Obj.of(Map.of())));
        assertThat(text(new Body.Change(List.of(new Op.Put("svc.a", 3, service("url", "http://a"))))))
                .contains("adds svc.a (service)", "+ body.url: \"http://a\"");
    }
}
