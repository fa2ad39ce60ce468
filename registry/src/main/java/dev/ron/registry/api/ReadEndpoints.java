package dev.ron.registry.api;

import dev.ron.http.message.QueryParams;
import dev.ron.http.message.Request;
import dev.ron.http.message.Response;
import dev.ron.kernel.call.CallContext;
import dev.ron.kernel.channel.Watch;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import dev.ron.kernel.sync.Permits;
import dev.ron.kernel.time.Clock;
import dev.ron.ledger.json.Json;
import dev.ron.ledger.json.ObjWriter;
import dev.ron.ledger.model.Approvals;
import dev.ron.ledger.model.Artifact;
import dev.ron.ledger.model.AuditRecord;
import dev.ron.ledger.model.Descriptor;
import dev.ron.ledger.model.Entry;
import dev.ron.ledger.model.Proposal;
import dev.ron.ledger.state.Held;
import dev.ron.registry.book.Book;
import dev.ron.registry.book.Docket;
import dev.ron.registry.book.Head;
import dev.ron.registry.book.Registry;
import dev.ron.registry.book.Standing;
import dev.ron.registry.book.View;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The read plane: head, versions, descriptors, proposals, signers, audit. */
final class ReadEndpoints {
    private static final int LIMIT = 100;
    private static final int MAX_LIMIT = 1000;

    private final Registry registry;
    private final Watch<Long> heads;
    private final Permits waiters;
    private final Shelves shelves;
    private final Clock clock;

    ReadEndpoints(Registry registry, Watch<Long> heads, Permits waiters, Shelves shelves, Clock clock) {
        this.registry = registry;
        this.heads = heads;
        this.waiters = waiters;
        this.shelves = shelves;
        this.clock = clock;
    }

    Response head(Request request) {
        QueryParams query = request.queryParams();
        long after = query.number("after", -1, 0, Json.MAX_INTEGER);
        if (after >= 0) {
            awaitAfter(after, Duration.ofSeconds(query.number("wait", 0, 0, 30)));
        }
        Head head = registry.view().head();
        if (matches(request, head.etag())) {
            return notModified(head.etag(), Forms.BRIEF);
        }
        return Forms.answer(request, 200, head.json(), Forms.BRIEF).withHeader("ETag", head.etag());
    }

    /** Who finds no place to wait is answered at once and may ask again: waiting must not use up what writes need. */
    private void awaitAfter(long after, Duration wait) {
        if (wait.isZero() || !waiters.tryAcquire()) {
            return;
        }
        try {
            awaitNewerThan(after, wait);
        } finally {
            waiters.release();
        }
    }

    private void awaitNewerThan(long after, Duration wait) {
        var deadline = CallContext.current().deadline().within(wait);
        while (registry.view().version() <= after && !deadline.expired() && !heads.closed()) {
            long seen = heads.current().version();
            if (registry.view().version() > after) {
                return;
            }
            heads.awaitNewerThan(seen, deadline);
        }
    }

    private static boolean matches(Request request, String etag) {
        return request.headers().all("If-None-Match").stream()
                .anyMatch(tags -> tags.equals("*") || tags.contains(etag));
    }

    private static Response notModified(String etag, String caching) {
        return Response.status(304).withHeader("ETag", etag).withHeader("Cache-Control", caching);
    }

    Response version(Request request) {
        long version = number(request, "version");
        View view = registry.view();
        requireVersion(view, version);
        String tag = "\"v" + version + "\"";
        return shelves.read(() -> {
            Entry entry = registry.entry(version);
            Optional<Artifact> artifact = registry.artifact(version);
            Approvals approvals = registry.approvals(version);
            if (artifact.isEmpty() && request.queryParams().first("include").isEmpty()) {
                throw pruned(version);
            }
            return Forms.answer(
                            request,
                            200,
                            Documents.artifact(
                                            entry,
                                            artifact.map(
                                                    found -> found.payload().toJson()),
                                            approvals)
                                    .end(),
                            Forms.IMMUTABLE)
                    .withHeader("ETag", tag);
        });
    }

    static RonException pruned(long version) {
        return new RonException(Code.GONE, "gone", "the payload of version " + version + " was pruned");
    }

    static void requireVersion(View view, long version) {
        if (version < 1 || version > view.version()) {
            throw new RonException(
                    Code.NOT_FOUND, "not_found", "version " + version + " (expected: 1.." + view.version() + ")");
        }
    }

    static long number(Request request, String name) {
        String text = request.param(name);
        if (!text.matches("[0-9]{1,15}")) {
            throw new RonException(Code.NOT_FOUND, "not_found", "no such version: " + name + " must be a number");
        }
        return Long.parseLong(text);
    }

    Response log(Request request) {
        QueryParams query = request.queryParams();
        View view = registry.view();
        long from = query.number("from", 1, 1, Json.MAX_INTEGER);
        int limit = (int) query.number("limit", LIMIT, 1, MAX_LIMIT);
        return shelves.read(() -> {
            List<Json> entries = new ArrayList<>();
            long version = from;
            for (; version <= view.version() && entries.size() < limit; version++) {
                entries.add(registry.entry(version).toJson());
            }
            ObjWriter out =
                    new ObjWriter().put("entries", new Json.Arr(entries)).put("head", view.version());
            if (version <= view.version()) {
                out.put("next", version);
            }
            return Forms.answer(request, 200, out.end(), Forms.BRIEF);
        });
    }

    Response descriptors(Request request) {
        QueryParams query = request.queryParams();
        View view = registry.view();
        String kind = query.first("kind").orElse("");
        String prefix = query.first("prefix").orElse("");
        String after = query.first("cursor").orElse("");
        int limit = (int) query.number("limit", LIMIT, 1, MAX_LIMIT);
        List<Descriptor> found = view.ledger()
                .state()
                .all()
                .map(Held::descriptor)
                .filter(Descriptor::isLive)
                .filter(descriptor ->
                        kind.isEmpty() || descriptor.content().kind().equals(kind))
                .filter(descriptor ->
                        descriptor.id().startsWith(prefix) && descriptor.id().compareTo(after) > 0)
                .sorted(Comparator.comparing(Descriptor::id))
                .limit(limit + 1L)
                .toList();
        List<Descriptor> page = found.subList(0, Math.min(limit, found.size()));
        ObjWriter out = new ObjWriter().put("version", view.version()).putAll("items", page, Descriptor::toJson);
        boolean more = found.size() > limit;
        if (more) {
            out.put("next", page.getLast().id());
        }
        Response response = Forms.answer(request, 200, out.end(), Forms.BRIEF);
        return more ? response.withHeader("Link", next(query, page.getLast().id())) : response;
    }

    /** The same question from a cursor on. */
    private static String next(QueryParams query, String cursor) {
        StringBuilder link = new StringBuilder("<?cursor=").append(encoded(cursor));
        for (String name : List.of("kind", "prefix", "limit")) {
            query.first(name)
                    .ifPresent(
                            value -> link.append('&').append(name).append('=').append(encoded(value)));
        }
        return link.append(">; rel=\"next\"").toString();
    }

    private static String encoded(String value) {
        return URLEncoder.encode(value, StandardCharsets.UTF_8);
    }

    Response descriptor(Request request) {
        String id = request.param("id");
        View view = registry.view();
        Held held = view.ledger()
                .state()
                .get(id)
                .orElseThrow(() -> new RonException(Code.NOT_FOUND, "not_found", "there is no descriptor " + id));
        String tag = "\"" + id + "@" + held.descriptor().rev() + "\"";
        if (matches(request, tag)) {
            return notModified(tag, Forms.BRIEF);
        }
        ObjWriter out = new ObjWriter()
                .put("descriptor", held.descriptor().toJson())
                .put("version", held.version())
                .put("head", view.version());
        if (request.queryParams().first("proof").filter("state"::equals).isPresent()) {
            out.put("proof", view.ledger().state().prove(id).toJson());
        }
        return Forms.answer(request, held.descriptor().isLive() ? 200 : 410, out.end(), Forms.BRIEF)
                .withHeader("ETag", tag);
    }

    Response signers(Request request) {
        View view = registry.view();
        return Forms.answer(
                request,
                200,
                new ObjWriter()
                        .put("version", view.version())
                        .put("n", view.ledger().signers().n())
                        .put("signer_set", view.ledger().signers().toJson())
                        .end(),
                Forms.BRIEF);
    }

    Response proposals(Request request) {
        QueryParams query = request.queryParams();
        View view = registry.view();
        long now = clock.now().toEpochMilli();
        String state = query.first("state").orElse("");
        String after = query.first("cursor").orElse("");
        int limit = (int) query.number("limit", LIMIT, 1, MAX_LIMIT);
        List<Docket> page = registry.book().dockets().stream()
                // A place in their order, not one of them: the last of a page may be closed before the next is asked
                // for.
                .filter(docket -> cursor(docket).compareTo(after) > 0)
                .filter(docket -> state.isEmpty()
                        || docket.standing(view.ledger(), now).wire().equals(state))
                .limit(limit)
                .toList();
        ObjWriter out = new ObjWriter()
                .putAll(
                        "items",
                        page,
                        docket -> Documents.open(docket, view.ledger(), now).end());
        if (page.size() == limit) {
            out.put("next", cursor(page.getLast()));
        }
        return Forms.answer(request, 200, out.end(), Forms.NO_STORE);
    }

    /** Sorts as {@link Book#dockets} does. */
    private static String cursor(Docket docket) {
        return String.format(Locale.ROOT, "%015d.%s", docket.proposal().createdAtMs(), docket.id());
    }

    Response proposal(Request request) {
        String id = request.param("id");
        View view = registry.view();
        Book book = registry.book();
        Optional<Docket> docket = book.docket(id);
        if (docket.isPresent()) {
            return Forms.answer(
                    request,
                    200,
                    Documents.open(docket.get(), view.ledger(), clock.now().toEpochMilli())
                            .put("payload", docket.get().proposal().payload().toJson())
                            .put("signer_set_version", view.ledger().signers().setVersion())
                            .put("origin", view.ledger().genesis().origin())
                            .putAll("approvals", docket.get().approvals(), approval -> (Json) approval.toJson())
                            .end(),
                    Forms.NO_STORE);
        }
        Optional<Book.Closed> closed = book.closed(id);
        if (closed.isPresent()) {
            return Forms.answer(
                    request,
                    200,
                    new ObjWriter()
                            .put("proposal_id", id)
                            .put("state", closed.get().standing().wire())
                            .put("reason", closed.get().detail())
                            .end(),
                    Forms.NO_STORE);
        }
        long version = book.versionOf(id)
                .orElseThrow(() -> new RonException(Code.NOT_FOUND, "not_found", "there is no proposal " + id));
        return shelves.read(() -> {
            Optional<Proposal> kept = registry.proposalOf(version);
            ObjWriter out = kept.map(proposal -> Documents.proposal(proposal, Standing.COMMITTED)
                            .put("payload", proposal.payload().toJson()))
                    .orElseGet(() -> new ObjWriter().put("proposal_id", id).put("state", Standing.COMMITTED.wire()));
            return Forms.answer(
                    request,
                    200,
                    out.put("committed_version", version)
                            .put("approvals", registry.approvals(version).toJson())
                            .end(),
                    Forms.NO_STORE);
        });
    }

    Response audit(Request request) {
        QueryParams query = request.queryParams();
        View view = registry.view();
        int limit = (int) query.number("limit", LIMIT, 1, MAX_LIMIT);
        long from = query.number("from", Math.max(1, view.auditSeq() - limit + 1), 1, Json.MAX_INTEGER);
        return shelves.read(() -> {
            List<Json> records = new ArrayList<>();
            for (long seq = from; seq <= view.auditSeq() && records.size() < limit; seq++) {
                AuditRecord record = registry.audit(seq);
                records.add(record.toJson());
            }
            return Forms.answer(
                    request,
                    200,
                    new ObjWriter()
                            .put("records", new Json.Arr(records))
                            .put("head_seq", view.auditSeq())
                            .put("head_hash", view.auditHash().toJson())
                            .end(),
                    Forms.NO_STORE);
        });
    }
}
