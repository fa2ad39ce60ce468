package dev.ron.passport;

import dev.ron.http.client.ClientOptions;
import dev.ron.http.client.HttpClient;
import dev.ron.http.client.SystemAddresses;
import dev.ron.http.loop.EventLoops;
import dev.ron.http.tls.ClientTls;
import dev.ron.http.tls.TlsOptions;
import dev.ron.kernel.Kernel;
import dev.ron.kernel.channel.Watch;
import dev.ron.kernel.task.TaskScope;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.topology.Stage;
import dev.ron.ledger.hash.B3;
import dev.ron.passport.policy.PolicyBundle;
import dev.ron.passport.policy.PolicyDesk;
import dev.ron.passport.policy.RegistryClient;
import dev.ron.passport.policy.RegistrySync;
import dev.ron.passport.policy.RegistryWatch;
import dev.ron.service.client.Outbound;
import dev.ron.service.lifecycle.ServiceContext;
import java.net.URI;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The parts that follow a registry's policy, if there is a registry to follow.
 *
 * @param follows whether there is one
 */
record PolicyFollower(RegistrySync sync, Optional<RegistryWatch> watch, boolean follows) {
    private static final int MAX_BUNDLE_BYTES = 8 << 20;
    private static final Duration LIMIT = Duration.ofSeconds(30);

    static PolicyFollower of(
            Setup setup,
            ServiceContext context,
            EventLoops loops,
            String issuer,
            PolicyDesk desk,
            Watch.Writer<Long> hint) {
        Supplier<PassportConfig> config = () -> context.config(PassportConfig.class);
        PassportConfig.Registry first = config.get().registry();
        Supplier<Optional<RegistryClient.Registry>> registry = registry(setup, first, issuer);
        boolean remote = first.endpoint().isPresent();
        boolean follows = remote || setup.registry().isPresent();
        SystemAddresses names = new SystemAddresses(context.kernel().lane(PassportTopology.names()));
        Optional<RegistryClient> client = follows
                ? Optional.of(new RegistryClient(registry, client(context, loops, names, first, setup)))
                : Optional.empty();
        RegistrySync sync = new RegistrySync(
                new RegistrySync.Parts(
                        (known, deadline) -> client.orElseThrow().fetch(known, deadline),
                        () -> registry.get().map(RegistryClient.Registry::reader),
                        new Vault(setup, new SecureRandom()).policy(),
                        desk,
                        hint.watch(),
                        config,
                        context.bus()),
                context.kernel().meter());
        // The registry of this process says on the bus when it has news.
        Optional<RegistryWatch> watch = client.filter(_ -> remote).map(asked -> new RegistryWatch(asked, hint));
        return new PolicyFollower(sync, watch, follows);
    }

    /** The configured registry, else the one of this process. */
    private static Supplier<Optional<RegistryClient.Registry>> registry(
            Setup setup, PassportConfig.Registry config, String issuer) {
        if (config.endpoint().isPresent()) {
            RegistryClient.Registry configured =
                    registry(config.endpoint().get(), new B3(config.genesis()), config.policyId(), issuer);
            return () -> Optional.of(configured);
        }
        return () -> setup.registry()
                .flatMap(Supplier::get)
                .map(local -> registry(URI.create(local.base()), local.genesis(), config.policyId(), issuer));
    }

    private static RegistryClient.Registry registry(URI endpoint, B3 genesis, String policyId, String issuer) {
        String text = endpoint.toString();
        String base = text.endsWith("/") ? text.substring(0, text.length() - 1) : text;
        return new RegistryClient.Registry(base, new PolicyBundle(genesis, policyId, issuer), policyId);
    }

    private static HttpClient client(
            ServiceContext context,
            EventLoops loops,
            SystemAddresses names,
            PassportConfig.Registry config,
            Setup setup) {
        ClientTls tls = config.caFile()
                .or(setup::registryRoots)
                .map(roots -> ClientTls.trusting(roots, TlsOptions.defaults()))
                .orElseGet(() -> ClientTls.publicRoots());
        ClientOptions options = ClientOptions.defaults().withTotalLimit(LIMIT).withMaxBodyBytes(MAX_BUNDLE_BYTES);
        return Outbound.open(
                context,
                Stage.WRITERS,
                loops,
                names,
                tls,
                options,
                context.kernel().meter());
    }

    void start(Kernel kernel) {
        kernel.spawn(PassportTopology.REGISTRY_SYNC, scope -> {
            if (follows) {
                sync.run(scope);
            } else {
                idle(scope);
            }
        });
        kernel.spawn(PassportTopology.REGISTRY_WATCH, scope -> {
            if (watch.isPresent()) {
                watch.get().run(scope);
            } else {
                idle(scope);
            }
        });
    }

    private static void idle(TaskScope scope) {
        scope.awaitStop(Deadline.never(scope.clock()));
    }
}
