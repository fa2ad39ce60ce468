package dev.ron.node.cli;

import dev.ron.node.Findings;
import dev.ron.node.NodeConfig;
import dev.ron.node.NodeSections;
import dev.ron.node.data.DataFolder;
import dev.ron.node.fsck.Fsck;
import dev.ron.passport.PassportConfig;
import dev.ron.registry.RegistryConfig;
import dev.ron.service.config.Config;
import dev.ron.service.config.Secret;
import java.nio.file.Files;
import java.util.Optional;

/**
 * What a start would find in the data folder and could not go on with: no passphrase or a wrong one, a damaged log, none.
 *
 * <p>It only reads. A folder that a node uses was opened by that node, and is left alone.
 */
final class KeptData {
    private final NodeConfig node;
    private final Optional<Secret> passphrase;
    private final Fsck fsck;
    private final boolean demo;
    private final boolean inUse;

    KeptData(Config config, boolean demo) {
        this.node = config.section(NodeConfig.class);
        this.passphrase =
                config.section(PassportConfig.class).kms().passphrase().filter(given -> !given.isEmpty());
        this.fsck = new Fsck(
                node.data(), passphrase, config.section(RegistryConfig.class).witnessPath());
        this.demo = demo;
        this.inUse = DataFolder.holder(node.data()).isPresent();
    }

    void check(Findings findings) {
        if (NodeSections.runs(node, "passport") && !inMemory()) {
            passport(findings);
        }
        if (NodeSections.runs(node, "registry")) {
            registry(findings);
        }
    }

    /** A start leaves a registry out that has no log, unless somebody insists on it. */
    boolean runsRegistry() {
        return NodeSections.runs(node, "registry")
                && (demo || hasLog() || node.services().contains("registry"));
    }

    private boolean inMemory() {
        return node.profile() == NodeConfig.Profile.MICRO;
    }

    private boolean hasLog() {
        return !inMemory() && Files.isDirectory(node.data().resolve("registry").resolve("log"));
    }

    private void passport(Findings findings) {
        if (!demo && passphrase.isEmpty()) {
            findings.bad(
                    "passport",
                    "there is no passphrase for the keystore",
                    "write one to a file of mode 0600 and set passport.kms.passphrase_file");
        } else if (!inUse && Files.exists(node.data().resolve("passport"))) {
            fsck.run("passport", findings);
        }
    }

    private void registry(Findings findings) {
        if (!inMemory() && DataFolder.isClosed(node.data().resolve("registry"))) {
            findings.bad(
                    "registry",
                    "this account may not look into " + node.data().resolve("registry"),
                    "give it to the account that runs the node");
        } else if (hasLog()) {
            if (!inUse) {
                log(findings);
            }
        } else if (!demo && runsRegistry()) {
            noLog(findings);
        } else if (!demo) {
            findings.warn("registry", "left out: it has no log yet", "ron registry init makes one");
        }
    }

    private void log(Findings findings) {
        Findings its = new Findings();
        fsck.run("registry", its);
        its.all().forEach(findings::add);
        // Only a log that was begun has an end to compare with what was remembered of it.
        if (!demo
                && its.good()
                && its.all().stream().noneMatch(fact -> fact.what().equals("registry witness"))) {
            noLog(findings);
        }
    }

    private void noLog(Findings findings) {
        findings.bad(
                "registry",
                "there is no log in " + (inMemory() ? "memory" : node.data().resolve("registry")),
                "make one with ron registry init, or leave the registry out: node.services");
    }
}
