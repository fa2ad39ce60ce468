package dev.ron.node.cli;

import dev.ron.ledger.Refused;
import dev.ron.ledger.hash.B3;
import dev.ron.ledger.json.CanonicalJson;
import dev.ron.ledger.json.ObjWriter;
import dev.ron.ledger.json.StrictJson;
import dev.ron.ledger.model.Base;
import dev.ron.ledger.model.Body;
import dev.ron.ledger.model.ChangeSet;
import dev.ron.ledger.model.Draft;
import dev.ron.ledger.model.Op;
import dev.ron.ledger.model.Signer;
import dev.ron.ledger.model.SignerSet;
import dev.ron.node.ExitCode;
import dev.ron.node.Stop;
import dev.ron.registry.keys.SignerKey;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;

/** The writing half of {@code ron registry}. */
final class RegistryWrites {
    private RegistryWrites() {}

    static int commit(RegistryTarget registry, String id, PrintWriter out) {
        JsonNode answer = registry.post("/registry/commit/" + NodeTarget.quoted(id), "registry:commit", "{}");
        out.println("version " + answer.path("version").asLong(0)
                + (answer.path("idempotent").asBoolean(false) ? " (it was committed before)" : "") + ", entry "
                + answer.path("entry_hash").asString(""));
        out.flush();
        return ExitCode.OK.code();
    }

    private static int propose(RegistryTarget registry, ChangeSet payload, CommandSpec spec) {
        String body = CanonicalJson.text(new ObjWriter()
                .put("payload", payload.toJson())
                .put("payload_b3", payload.hash().toJson())
                .end());
        JsonNode answer = registry.post("/registry/proposals", "registry:propose", body);
        PrintWriter out = spec.commandLine().getOut();
        out.println(answer.path("proposal_id").asString(""));
        out.flush();
        PrintWriter err = spec.commandLine().getErr();
        err.println("waits for votes until " + answer.path("expires_at").asString("")
                + "; next: ./ron registry approve " + answer.path("proposal_id").asString("") + " --key FILE");
        err.flush();
        return ExitCode.OK.code();
    }

    /** {@code ron registry commit}. */
    @Command(name = "commit", description = "Commit a proposal that has enough approvals.")
    static final class Commit implements Callable<Integer> {
        @Mixin
        RegistryTarget registry;

        @Parameters(paramLabel = "ID", description = "the proposal, p_...")
        String id;

        @Spec
        CommandSpec spec;

        @Override
        public Integer call() {
            return commit(registry, id, spec.commandLine().getOut());
        }
    }

    /** {@code ron registry propose}. */
    @Command(name = "propose", description = "Propose a change; prints the id of the proposal.")
    static final class Propose implements Callable<Integer> {
        @Mixin
        RegistryTarget registry;

        @Option(names = "--file", paramLabel = "FILE", description = "a whole change set as JSON, instead of the rest")
        @Nullable
        Path file;

        @Option(names = "--put", paramLabel = "ID", description = "descriptor to add or change")
        @Nullable
        String put;

        @Option(
                names = "--kind",
                paramLabel = "KIND",
                description = "with --put: its kind (default: as it is, or service)")
        @Nullable
        String kind;

        @Option(names = "--body", paramLabel = "JSON", description = "with --put: its body, or @FILE")
        String body = "{}";

        @Option(names = "--deprecate", paramLabel = "ID", description = "descriptor to warn readers off; repeatable")
        List<String> deprecate = new ArrayList<>();

        @Option(names = "--remove", paramLabel = "ID", description = "descriptor to remove; repeatable")
        List<String> remove = new ArrayList<>();

        @Option(names = "--note", paramLabel = "TEXT", description = "why, for those who vote")
        @Nullable
        String note;

        @Spec
        CommandSpec spec;

        @Override
        public Integer call() throws IOException {
            try {
                return propose(registry, payload(), spec);
            } catch (Refused e) {
                throw RegistryTarget.refused(e);
            } catch (IllegalArgumentException e) {
                throw RegistryTarget.malformed(spec, e);
            }
        }

        private ChangeSet payload() throws Refused, IOException {
            if (file != null) {
                return ChangeSet.fromJson(StrictJson.HASHED.read(Files.readAllBytes(file), "payload"), "payload");
            }
            List<Op> ops = new ArrayList<>();
            if (put != null) {
                JsonNode now = registry.descriptor(put);
                String kept = now.path("descriptor").path("kind").asString("service");
                ops.add(new Op.Put(put, rev(now), Draft.of(kind == null ? kept : kind, RegistryTarget.body(body))));
            }
            for (String id : deprecate) {
                ops.add(new Op.Deprecate(id, rev(registry.descriptor(id))));
            }
            for (String id : remove) {
                ops.add(new Op.Remove(id, rev(registry.descriptor(id))));
            }
            if (ops.isEmpty()) {
                throw new Stop(
                        ExitCode.USAGE,
                        "nothing to propose",
                        "no change is named",
                        "say what: --put, --deprecate, --remove or --file");
            }
            return new ChangeSet(ChangeSet.SCHEMA, new Body.Change(ops), Optional.empty(), Optional.ofNullable(note));
        }

        private static long rev(JsonNode now) {
            return now.path("descriptor").path("rev").asLong(0);
        }
    }

    /** {@code ron registry rotate}. */
    @Command(name = "rotate", description = "Propose to replace a signer; makes the new key where FILE does not exist.")
    static final class Rotate implements Callable<Integer> {
        @Mixin
        RegistryTarget registry;

        @Mixin
        SignerKeyFile keys;

        @Parameters(index = "0", paramLabel = "OLD", description = "signer to revoke, org:NAME#WHO")
        String old;

        @Parameters(index = "1", paramLabel = "NEW", description = "signer to add, org:NAME#WHO")
        String next;

        @Option(names = "--key", paramLabel = "FILE", required = true, description = "key file of the new signer")
        Path file = Path.of("");

        @Spec
        CommandSpec spec;

        @Override
        public Integer call() {
            try {
                if (!Files.exists(file)) {
                    SecureRandom random = new SecureRandom();
                    SignerKey key = SignerKey.generate(next, false, random);
                    key.signer(); // refuses what is no name of a signer
                    SignerKeyFile.write(keys.seal(key, file, random), file);
                    spec.commandLine().getErr().println("made " + file);
                }
                Signer added = SignerKeyFile.publicPart(file);
                if (!added.signerId().equals(next)) {
                    throw new Stop(
                            ExitCode.USAGE,
                            file + " is the key of " + added.signerId(),
                            "the signer to add is " + next,
                            "name its key, or a file that is not there yet: --key FILE");
                }
                return propose(registry, ChangeSet.of(rotation(added)), spec);
            } catch (Refused e) {
                throw RegistryTarget.refused(e);
            } catch (IllegalArgumentException e) {
                throw RegistryTarget.malformed(spec, e);
            }
        }

        private Body.Rotate rotation(Signer added) throws Refused {
            JsonNode head = registry.get("/registry/head");
            long version = head.path("version").asLong(0);
            Base base = new Base(version, B3.parse(head.path("hash").asString(""), "head"));
            SignerSet before = SignerSet.fromJson(
                    RegistryTarget.strict(registry.get("/registry/signers").path("signer_set"), "signer set"),
                    "signer set");
            if (before.signer(old).filter(Signer::isActive).isEmpty()) {
                throw new Stop(
                        ExitCode.NO,
                        old + " is no active signer",
                        "these are: "
                                + before.signers().stream()
                                        .filter(Signer::isActive)
                                        .map(Signer::signerId)
                                        .collect(Collectors.joining(", ")),
                        "name the one to replace");
            }
            List<Signer> signers = new ArrayList<>();
            for (Signer signer : before.signers()) {
                signers.add(signer.signerId().equals(old) ? signer.revokedAt(version + 1) : signer);
            }
            signers.add(added);
            return new Body.Rotate(
                    base,
                    new SignerSet(
                            before.setVersion() + 1,
                            before.m(),
                            before.kPq(),
                            before.minOrgs(),
                            before.proposalTtlHours(),
                            before.autoCommit(),
                            before.thresholds(),
                            signers));
        }
    }
}
