package dev.ron.passport.policy;

import dev.ron.http.client.ClientRequest;
import dev.ron.http.client.ClientResponse;
import dev.ron.http.client.HttpClient;
import dev.ron.http.json.StrictJson;
import dev.ron.kernel.call.CallContext;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import dev.ron.kernel.time.Deadline;
import dev.ron.ledger.Reason;
import dev.ron.ledger.Refused;
import dev.ron.ledger.json.Fields;
import dev.ron.ledger.json.Json;
import dev.ron.ledger.tree.ConsistencyProof;
import dev.ron.ledger.tree.TreeHash;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Asks a registry over HTTP; believes none of it that is not proved.
 *
 * <p>The bundle proves the policy by itself. That the log only grew since the last time is proved apart, so that a
 * registry that was set back, or shows different logs to different readers, is found out.
 */
public final class RegistryClient implements PolicySource {
    /** The reason while the process has not opened its registry yet. */
    static final String STARTING = "starting";

    private static final dev.ron.ledger.json.StrictJson PROOF = new dev.ron.ledger.json.StrictJson(64 << 10, 8);
    private static final int MAX_HASHES = 128;

    private final Supplier<Optional<Registry>> registry;
    private final HttpClient client;

    /**
     * A registry and what is believed of it.
     *
     * @param base without a slash at the end
     */
    public record Registry(String base, PolicyBundle reader, String policyId) {}

    /** @param registry empty while its address is not known yet */
    public RegistryClient(Supplier<Optional<Registry>> registry, HttpClient client) {
        this.registry = registry;
        this.client = client;
    }

    @Override
    public Offer fetch(Optional<Place> known, Deadline deadline) throws Exception {
        Registry at = at();
        String query = "/registry/bundle/head?id=" + URLEncoder.encode(at.policyId(), StandardCharsets.UTF_8);
        Offer offer = at.reader().read(get(at.base() + query, deadline));
        Optional<Place> before =
                known.filter(place -> place.genesis().equals(offer.place().genesis()));
        if (before.isPresent()) {
            requireContinued(at, before.get(), offer.place(), deadline);
        }
        return offer;
    }

    private void requireContinued(Registry at, Place before, Place now, Deadline deadline) throws Exception {
        if (now.size() < before.size()) {
            throw new Refused(
                    Reason.VERSION_SKEW,
                    "the registry was set back: its log ends at " + now.size() + ", it had come to " + before.size());
        }
        List<TreeHash> hashes = now.size() == before.size()
                ? List.of()
                : proof(get(
                        at.base() + "/registry/proof/consistency?from=" + before.size() + "&to=" + now.size(),
                        deadline));
        new ConsistencyProof(before.size(), now.size(), hashes).verify(before.root(), now.root());
    }

    private static List<TreeHash> proof(byte[] body) throws Refused {
        Fields fields = Fields.of(PROOF.read(body, "proof"), "proof");
        List<TreeHash> hashes = fields.list("hashes", MAX_HASHES, TreeHash::fromJson);
        fields.integer("from", 0, Json.MAX_INTEGER);
        fields.integer("to", 0, Json.MAX_INTEGER);
        return fields.build(() -> hashes);
    }

    /** Waits at the registry until its log is longer than {@code after}, at most so many seconds; its length then. */
    long awaitHead(long after, long seconds, Deadline deadline) throws Exception {
        byte[] head = get(at().base() + "/registry/head?after=" + after + "&wait=" + seconds, deadline);
        return new StrictJson().tree(head).path("version").asLong(0);
    }

    private Registry at() {
        return registry.get()
                .orElseThrow(() ->
                        new RonException(Code.UNAVAILABLE, STARTING, "the registry of this process is not up yet"));
    }

    private byte[] get(String url, Deadline deadline) throws Exception {
        ClientResponse response =
                CallContext.of(deadline, "registry-sync").call(() -> client.send(ClientRequest.get(url)));
        if (response.status() != 200) {
            throw new RonException(
                    Code.UNAVAILABLE,
                    "registry_unavailable",
                    "the registry answers " + response.status() + " to " + url);
        }
        return response.body();
    }
}
