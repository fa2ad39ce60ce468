package dev.ron.admin;

import dev.ron.kernel.call.Reply;
import dev.ron.service.config.Secret;
import dev.ron.service.keys.IssuerSource;
import dev.ron.service.reload.ReloadReport;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What the process decides for the console.
 *
 * @param data where the audit log is kept; without one it lives in memory
 * @param opsUrl where the ops plane of this process is, to watch it over loopback
 * @param operator the credential for actions on this process
 * @param issuer the passport office of this process
 * @param approveFlags what {@code ron registry approve} needs to sign and to find this process
 * @param reload has the process read its configuration again
 */
public record Setup(
        String bind,
        int port,
        Optional<Path> data,
        Optional<String> opsUrl,
        Secret operator,
        Supplier<Optional<IssuerSource>> issuer,
        String approveFlags,
        Supplier<Reply<ReloadReport>> reload) {}
