package dev.ron.registry.api;

import dev.ron.http.message.QueryParams;
import dev.ron.http.message.Request;
import dev.ron.http.message.Response;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import dev.ron.ledger.Refused;
import dev.ron.ledger.bundle.Bundle;
import dev.ron.ledger.json.Json;
import dev.ron.ledger.json.ObjWriter;
import dev.ron.ledger.note.NoteKey;
import dev.ron.ledger.note.TlogProof;
import dev.ron.ledger.tree.EntryBundle;
import dev.ron.ledger.tree.TilePath;
import dev.ron.ledger.tree.TreeHash;
import dev.ron.registry.book.Registry;
import dev.ron.registry.book.View;
import dev.ron.registry.tlog.Archive;
import dev.ron.registry.tlog.Bundles;
import dev.ron.registry.tlog.Notary;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Transparency: checkpoints, tiles, proofs and bundles, as C2SP describes them. */
final class ProofEndpoints {
    private final Registry registry;
    private final Notary notary;
    private final Bundles bundles;
    private final Optional<Archive> archive;
    private final Shelves shelves;

    ProofEndpoints(Registry registry, Notary notary, Bundles bundles, Optional<Archive> archive, Shelves shelves) {
        this.registry = registry;
        this.notary = notary;
        this.bundles = bundles;
        this.archive = archive;
        this.shelves = shelves;
    }

    Response checkpoint(Request request) {
        return Forms.text(notary.checkpoint(registry.view()).render(), Forms.BRIEF);
    }

    /** The stored checkpoints, newest first, each with the versions that it is the first to cover. */
    Response checkpoints(Request request) {
        QueryParams query = request.queryParams();
        long before = query.number("before", Json.MAX_INTEGER, 1, Json.MAX_INTEGER);
        int limit = (int) query.number("limit", 100, 1, 1000);
        return shelves.read(() -> {
            List<Long> sizes = archive.isPresent() ? archive.get().checkpoints() : List.of();
            List<Json> items = new ArrayList<>();
            for (int i = sizes.size() - 1; i >= 0 && items.size() < limit; i--) {
                long size = sizes.get(i);
                if (size < before) {
                    items.add(new ObjWriter()
                            .put("size", size)
                            .put("from", i == 0 ? 1 : sizes.get(i - 1) + 1)
                            .put("to", size)
                            .end());
                }
            }
            return Forms.answer(
                    request,
                    200,
                    new ObjWriter().put("items", new Json.Arr(items)).end(),
                    Forms.BRIEF);
        });
    }

    Response storedCheckpoint(Request request) {
        long size = ReadEndpoints.number(request, "size");
        return shelves.read(() -> {
            Optional<String> note = archive.isPresent() ? archive.get().checkpoint(size) : Optional.empty();
            return Forms.text(
                    note.orElseThrow(() -> new RonException(
                            Code.NOT_FOUND, "not_found", "no checkpoint of version " + size + " was stored")),
                    Forms.IMMUTABLE);
        });
    }

    Response vkey(Request request) {
        return Forms.text(
                registry.view().ledger().genesis().logKeys().stream()
                        .map(NoteKey::toString)
                        .collect(Collectors.joining("\n", "", "\n")),
                Forms.BRIEF);
    }

    Response tile(Request request) {
        TilePath path;
        try {
            path = TilePath.parse("tile" + request.params().rest());
        } catch (Refused e) {
            throw new RonException(Code.NOT_FOUND, "not_found", e.detail());
        }
        View view = registry.view();
        if (path.width() > TilePath.widthAt(path.level(), path.index(), view.version())) {
            throw new RonException(
                    Code.NOT_FOUND, "not_found", path + " is not a tile of a log of " + view.version() + " entries");
        }
        if (path.level() != TilePath.ENTRIES) {
            return Forms.octets(view.ledger().tree().tile(path), Forms.IMMUTABLE);
        }
        return shelves.read(() -> {
            List<byte[]> entries = new ArrayList<>();
            for (int i = 0; i < path.width(); i++) {
                entries.add(registry.entry(path.index() * TilePath.FULL + i + 1).bytes());
            }
            return Forms.octets(EntryBundle.encode(entries), Forms.IMMUTABLE);
        });
    }

    Response inclusion(Request request) {
        QueryParams query = request.queryParams();
        View view = registry.view();
        long size = query.number("tree_size", view.version(), 1, view.version());
        long version = query.number("version", size, 1, size);
        ObjWriter out = new ObjWriter()
                .put("leaf_index", version - 1)
                .put("tree_size", size)
                .put(
                        "hashes",
                        hashes(view.ledger().tree().inclusion(version - 1, size).hashes()));
        if (size == view.version()) {
            out.put("checkpoint", notary.checkpoint(view).render());
        }
        return Forms.answer(request, 200, out.end(), Forms.BRIEF);
    }

    Response consistency(Request request) {
        QueryParams query = request.queryParams();
        View view = registry.view();
        long to = query.number("to", view.version(), 1, view.version());
        long from = query.number("from", 1, 0, to);
        return Forms.answer(
                request,
                200,
                new ObjWriter()
                        .put("from", from)
                        .put("to", to)
                        .put(
                                "hashes",
                                hashes(view.ledger()
                                        .tree()
                                        .consistency(from, to)
                                        .hashes()))
                        .end(),
                Forms.BRIEF);
    }

    Response state(Request request) {
        View view = registry.view();
        String id = request.queryParams()
                .first("id")
                .orElseThrow(() -> new RonException(Code.BAD_REQUEST, "query", "id is missing"));
        return Forms.answer(
                request,
                200,
                new ObjWriter()
                        .put("version", view.version())
                        .put("state_root", view.ledger().state().root().toJson())
                        .put("proof", view.ledger().state().prove(id).toJson())
                        .put("entry", view.ledger().head().toJson())
                        .end(),
                Forms.BRIEF);
    }

    Response tlogProof(Request request) {
        String name = request.param("file");
        if (!name.matches("[0-9]{1,15}\\.tlog-proof")) {
            throw new RonException(Code.NOT_FOUND, "not_found", "expected: VERSION.tlog-proof");
        }
        long version = Long.parseLong(name.substring(0, name.indexOf('.')));
        View view = registry.view();
        ReadEndpoints.requireVersion(view, version);
        TlogProof proof = new TlogProof(
                version - 1,
                view.ledger().tree().inclusion(version - 1, view.version()).hashes(),
                notary.checkpoint(view));
        return Forms.text(proof.render(), Forms.BRIEF);
    }

    /** {@code /registry/bundle/head?id=...} or {@code /registry/bundle/2}. */
    Response bundle(Request request) {
        View view = registry.view();
        boolean head = request.param("version").equals("head");
        long version = head ? view.version() : ReadEndpoints.number(request, "version");
        ReadEndpoints.requireVersion(view, version);
        List<String> ids = request.queryParams().all("id");
        if (Set.copyOf(ids).size() < ids.size()) {
            throw new RonException(Code.BAD_REQUEST, "query", "an id is asked for twice");
        }
        if (!ids.isEmpty() && version != view.version()) {
            throw new RonException(
                    Code.BAD_REQUEST,
                    "query",
                    "only a bundle of the head proves current values: /registry/bundle/head");
        }
        return shelves.read(() -> {
            Bundle bundle = bundles.of(view, version, ids);
            return Response.json(200, bundle.bytes()).withHeader("Cache-Control", Forms.BRIEF);
        });
    }

    private static Json hashes(List<TreeHash> hashes) {
        return new Json.Arr(hashes.stream().map(TreeHash::toJson).toList());
    }
}
