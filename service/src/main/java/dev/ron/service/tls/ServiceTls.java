package dev.ron.service.tls;

import dev.ron.http.tls.ServerCertificates;
import dev.ron.http.tls.ServerTls;
import dev.ron.http.tls.TlsOptions;
import dev.ron.service.config.Config;
import dev.ron.service.config.ConfigChange;
import dev.ron.service.lifecycle.ServiceContext;
import dev.ron.service.reload.ConfigSubscriber;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** The TLS side of one service's listener; each reload reads its files again, also when only they have changed. */
public final class ServiceTls implements ConfigSubscriber {
    private final String service;
    private final Function<Config, TlsConfig> section;
    private final ServerTls tls;

    private ServiceTls(String service, Function<Config, TlsConfig> section, ServerTls tls) {
        this.service = service;
        this.section = section;
        this.tls = tls;
    }

    /** For the builder of a host; empty where the configuration leaves TLS off. */
    public static Optional<ServerTls> of(ServiceContext context, Function<Config, TlsConfig> section) {
        TlsConfig config = section.apply(context.configs().value());
        if (!config.enabled()) {
            return Optional.empty();
        }
        ServerTls tls = new ServerTls(config.load(), config.options());
        String service = context.kernel().topology().service();
        context.onReload(new ServiceTls(service, section, tls));
        context.metrics()
                .gauge(
                        "tls_certificate_expires_seconds",
                        "When the first certificate ends, in Unix time.",
                        () -> tls.expires().getEpochSecond());
        return Optional.of(tls);
    }

    @Override
    public String name() {
        return service + " tls";
    }

    @Override
    public boolean changedOutside(Config current) {
        return !section.apply(current).load().equals(tls.certificates());
    }

    @Override
    public Change prepare(Config next, List<ConfigChange> changes) {
        TlsConfig config = section.apply(next);
        ServerCertificates certificates = config.load();
        ServerTls.check(certificates, config.options());
        ServerCertificates before = tls.certificates();
        TlsOptions optionsBefore = tls.options();
        return Change.of(() -> tls.swap(certificates, config.options()), () -> tls.swap(before, optionsBefore));
    }
}
