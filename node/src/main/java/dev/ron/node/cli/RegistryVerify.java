package dev.ron.node.cli;

import dev.ron.ledger.Refused;
import dev.ron.ledger.bundle.BundleVerifier;
import dev.ron.ledger.bundle.Trust;
import dev.ron.ledger.bundle.Verdict;
import dev.ron.ledger.hash.B3;
import dev.ron.ledger.model.Entry;
import dev.ron.node.ExitCode;
import dev.ron.node.Stop;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** {@code ron registry verify}: needs no network and no server. */
@Command(name = "verify", description = "Check a bundle; works offline.")
final class RegistryVerify implements Callable<Integer> {
    @Parameters(paramLabel = "FILE", description = "what `ron registry bundle` printed")
    Path file;

    @Option(names = "--genesis", paramLabel = "b3:...", description = "hash of the genesis you trust")
    @Nullable
    String genesis;

    @Option(names = "--json", description = "print the verdict as a document")
    boolean json;

    @Spec
    CommandSpec spec;

    @Override
    public Integer call() {
        Verdict verdict = new BundleVerifier(trust()).verify(bytes());
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            out.println(document(verdict));
            out.flush();
            return verdict instanceof Verdict.Ok ? ExitCode.OK.code() : ExitCode.NO.code();
        }
        switch (verdict) {
            case Verdict.Ok ok -> {
                out.println("OK: version " + ok.subject().entry().version() + " of "
                        + ok.subject().entry().origin());
                out.println("  committed "
                        + Instant.ofEpochMilli(ok.subject().entry().committedAtMs())
                        + " with " + ok.subject().entry().approvalsN() + " approvals, "
                        + ok.signers().m() + " of " + ok.signers().n() + " needed");
                out.println("  in the log of " + ok.checkpoint().size() + " entries with root "
                        + ok.checkpoint().root());
                ok.values()
                        .forEach((id, value) -> out.println("  " + id + ": "
                                + value.map(descriptor -> "revision " + descriptor.rev() + " is current")
                                        .orElse("there is none")));
                out.println("  genesis " + ok.genesis()
                        + (genesis == null ? " (not pinned: compare it with one you trust, or give --genesis)" : ""));
                out.flush();
                return ExitCode.OK.code();
            }
            case Verdict.Bad(var reason, String detail) ->
                throw new Stop(
                        ExitCode.NO,
                        file + " does not prove anything",
                        reason.wire() + ": " + detail,
                        "get it again from the registry, or from somebody who kept it as it was");
        }
    }

    private ObjectNode document(Verdict verdict) {
        ObjectNode out = JsonMapper.shared().createObjectNode();
        switch (verdict) {
            case Verdict.Ok ok -> {
                Entry entry = ok.subject().entry();
                out.put("ok", true)
                        .put("origin", entry.origin())
                        .put("version", entry.version())
                        .put(
                                "committed_at",
                                Instant.ofEpochMilli(entry.committedAtMs()).toString())
                        .put("approvals", entry.approvalsN())
                        .put("needed", ok.signers().m())
                        .put("log_size", ok.checkpoint().size())
                        .put("root", ok.checkpoint().root().toString())
                        .put("genesis", ok.genesis().toString())
                        .put("genesis_pinned", genesis != null);
                ObjectNode values = out.putObject("current_revisions");
                ok.values()
                        .forEach((id, value) -> value.ifPresentOrElse(
                                descriptor -> values.put(id, descriptor.rev()), () -> values.putNull(id)));
            }
            case Verdict.Bad(var reason, String detail) ->
                out.put("ok", false).put("reason", reason.wire()).put("detail", detail);
        }
        return out;
    }

    private Trust trust() {
        try {
            return genesis == null ? Trust.onFirstUse() : Trust.pinned(B3.parse(genesis, "--genesis"));
        } catch (Refused e) {
            throw new Stop(
                    ExitCode.USAGE,
                    "--genesis: " + genesis,
                    e.detail(),
                    "give the hash that ron registry init printed: --genesis b3:...");
        }
    }

    private byte[] bytes() {
        try {
            return Files.readAllBytes(file);
        } catch (IOException e) {
            throw new Stop(
                    ExitCode.NO,
                    "cannot read " + file,
                    e.toString(),
                    "name what ron registry bundle VERSION printed into a file");
        }
    }
}
