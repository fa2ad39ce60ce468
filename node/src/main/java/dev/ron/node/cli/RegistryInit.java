package dev.ron.node.cli;

import dev.ron.ledger.Refused;
import dev.ron.ledger.json.StrictJson;
import dev.ron.ledger.model.Body;
import dev.ron.ledger.model.ChangeSet;
import dev.ron.ledger.model.Draft;
import dev.ron.ledger.model.Item;
import dev.ron.ledger.model.Signer;
import dev.ron.ledger.model.SignerSet;
import dev.ron.node.ExitCode;
import dev.ron.node.Stop;
import dev.ron.node.data.DataFolder;
import dev.ron.registry.book.Limits;
import dev.ron.registry.book.Registry;
import dev.ron.registry.demo.DemoLog;
import dev.ron.registry.disk.RealDisk;
import dev.ron.registry.keys.SignerKey;
import dev.ron.registry.store.SegmentStore;
import dev.ron.registry.store.StoreFault;
import dev.ron.registry.tlog.LogKeys;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code ron registry init}: begins a log, while no node runs. */
@Command(name = "init", description = "Begin a log: its signers, how many must agree, and its keys.")
final class RegistryInit implements Callable<Integer> {
    private static final long SEGMENT_BYTES = 64L << 20;

    @Mixin
    ConfigOptions options;

    @Option(
            names = "--origin",
            paramLabel = "NAME",
            required = true,
            description = "name of the log, such as example.org/registry")
    String origin = "";

    @Option(
            names = "--signer",
            paramLabel = "S",
            description = "org:NAME#WHO to make a key for, or the key file of somebody; repeatable")
    List<String> signers = new ArrayList<>();

    @Option(names = "--keys", paramLabel = "DIR", description = "where new keys go (default: ${DEFAULT-VALUE})")
    Path keysFolder = Path.of("keys");

    @Option(
            names = {"-m", "--quorum"},
            paramLabel = "M",
            description = "how many must approve (default: ${DEFAULT-VALUE})")
    int m = 3;

    @ArgGroup(exclusive = false, multiplicity = "0..*")
    List<First> firsts = new ArrayList<>();

    @Mixin
    SignerKeyFile keys;

    @Spec
    CommandSpec spec;

    /** A descriptor that the log begins with. */
    static final class First {
        @Option(
                names = "--put",
                paramLabel = "ID",
                required = true,
                description = "descriptor that the log begins with, with its --kind and --body; repeatable")
        String id = "";

        // Without a default value: such a value cannot be set on a group that is not given.
        @Option(names = "--kind", paramLabel = "KIND", description = "with --put: its kind (default: service)")
        @Nullable
        String kind;

        @Option(names = "--body", paramLabel = "JSON", required = true, description = "with --put: its body, or @FILE")
        String body = "";

        Item item() throws Refused, IOException {
            return new Item(id, Draft.of(kind == null ? "service" : kind, RegistryTarget.body(body)));
        }
    }

    @Override
    public Integer call() throws IOException {
        if (signers.isEmpty()) {
            throw new Stop(
                    ExitCode.USAGE,
                    "a log needs signers",
                    "five of whom three must agree is usual",
                    "name each: --signer org:acme#ann --signer org:acme#ben ... -m 3");
        }
        SecureRandom random = new SecureRandom();
        try {
            Map<Path, SignerKey> made = new LinkedHashMap<>();
            List<Signer> set = new ArrayList<>();
            for (String signer : signers) {
                set.add(signer(signer, random, made));
            }
            LogKeys logKeys = LogKeys.generate(random);
            ChangeSet genesis = genesis(logKeys, SignerSet.initial(m, set));
            try (DataFolder data = DataFolder.open(options.dataFolder())) {
                Path folder = data.root().resolve("registry");
                try {
                    begin(folder, logKeys, genesis, made, random);
                } finally {
                    data.giveToOwner(folder);
                }
            }
            return ExitCode.OK.code();
        } catch (StoreFault fault) {
            throw new Stop(
                    fault.kind() == StoreFault.Kind.LOCKED ? ExitCode.LOCKED : ExitCode.NO,
                    "cannot begin a log",
                    String.valueOf(fault.getMessage()),
                    "stop the node that uses the folder");
        } catch (Refused e) {
            throw RegistryTarget.refused(e);
        } catch (IllegalArgumentException e) {
            throw RegistryTarget.malformed(spec, e);
        }
    }

    /** Somebody's key from its file, or a new one, which is put down beside the file that it will be in. */
    private Signer signer(String given, SecureRandom random, Map<Path, SignerKey> made) {
        if (Files.exists(Path.of(given))) {
            return SignerKeyFile.publicPart(Path.of(given));
        }
        SignerKey key = SignerKey.generate(given, false, random);
        Signer signer = key.signer(); // refuses what is no name of a signer
        made.put(keysFolder.resolve(fileOf(given)), key);
        return signer;
    }

    /** {@code ann.key}, or {@code acme_ann.key} where another organisation has an Ann too; no organisation has a "_". */
    private String fileOf(String signer) {
        String file = DemoLog.fileOf(signer);
        boolean shared = signers.stream()
                .anyMatch(other -> !other.equals(signer)
                        && other.startsWith("org:")
                        && DemoLog.fileOf(other).equals(file));
        return shared ? SignerKey.orgOf(signer) + "_" + file : file;
    }

    private ChangeSet genesis(LogKeys logKeys, SignerSet set) throws Refused, IOException {
        List<Item> items = new ArrayList<>();
        for (First given : firsts) {
            items.add(given.item());
        }
        Body.Genesis genesis = new Body.Genesis(origin, logKeys.verifiers(origin), set, items);
        // As a reader of the log will read it: a genesis has the same limits as any change.
        return ChangeSet.fromJson(StrictJson.HASHED.read(ChangeSet.of(genesis).bytes(), "genesis"), "genesis");
    }

    /** Everything that can be refused is, before the first key is written. */
    private void begin(Path folder, LogKeys logKeys, ChangeSet genesis, Map<Path, SignerKey> made, SecureRandom random)
            throws IOException, Refused {
        PrintWriter out = spec.commandLine().getOut();
        RealDisk disk = new RealDisk(folder);
        try (SegmentStore store = SegmentStore.open(disk, SEGMENT_BYTES)) {
            if (Registry.open(store, Limits.DEFAULT).isPresent()
                    || store.trouble().isPresent()) {
                throw new Stop(
                        ExitCode.NO,
                        "there is a log in " + folder + " already",
                        "a log has one beginning",
                        "choose another folder with --data, or go on with this one");
            }
            made.keySet()
                    .forEach(file -> SignerKeyFile.mustBeNew(
                            file, "go on with it: --signer " + file + ", or put new ones elsewhere: --keys DIR"));
            Map<Path, byte[]> sealed = new LinkedHashMap<>();
            made.forEach((file, key) -> sealed.put(file, keys.seal(key, file, random)));
            sealed.forEach((file, bytes) -> SignerKeyFile.write(bytes, file));
            made.forEach((file, key) -> out.println("made " + file + " for " + key.signerId()));
            logKeys.write(disk);
            Registry registry =
                    Registry.create(store, Limits.DEFAULT, Optional::empty, genesis, System.currentTimeMillis());
            out.println("log " + origin + " in " + folder + ", " + m + " of " + signers.size() + " must agree");
            out.println("genesis " + registry.view().ledger().headHash());
            out.println("give that hash to whoever shall verify: ./ron registry verify FILE --genesis b3:...");
            out.flush();
        }
    }

    /** {@code ron registry key}. */
    @Command(name = "key", description = "Make a signer's key, encrypted.")
    static final class NewKey implements Callable<Integer> {
        @Parameters(paramLabel = "SIGNER", description = "org:NAME#WHO")
        String signer;

        @Option(names = "--out", paramLabel = "FILE", required = true, description = "where it goes")
        Path file = Path.of("");

        @Option(names = "--hybrid", description = "with a second, post-quantum key (ML-DSA-65)")
        boolean hybrid;

        @Mixin
        SignerKeyFile keys;

        @Spec
        CommandSpec spec;

        @Override
        public Integer call() {
            SecureRandom random = new SecureRandom();
            try {
                SignerKey key = SignerKey.generate(signer, hybrid, random);
                Signer made = key.signer();
                SignerKeyFile.mustBeNew(file, "choose another place: --out FILE");
                SignerKeyFile.write(keys.seal(key, file, random), file);
                made.keys().forEach(part -> spec.commandLine().getOut().println(signer + " " + part));
                return ExitCode.OK.code();
            } catch (IllegalArgumentException e) {
                throw RegistryTarget.malformed(spec, e);
            }
        }
    }
}
