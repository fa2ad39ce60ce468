package dev.ron.token.explain;

import dev.ron.token.caveat.Binding;
import dev.ron.token.caveat.Caveat;
import dev.ron.token.caveat.Cidr;
import dev.ron.token.caveat.PathPrefix;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/** Says a caveat in words. */
final class CaveatWords {
    private CaveatWords() {}

    static String of(Caveat caveat, long now) {
        return switch (caveat) {
            case Caveat.Expires(long at) -> "only until " + moment(at, now);
            case Caveat.NotBefore(long at) -> "only from " + moment(at, now);
            case Caveat.Audience(List<String> services) -> "only at " + anyOf(services);
            case Caveat.Scope(List<String> operations) -> "only for " + anyOf(operations);
            case Caveat.Method(List<String> methods) -> "only " + anyOf(methods);
            case Caveat.Path(List<PathPrefix> prefixes) ->
                "only "
                        + anyOf(prefixes.stream()
                                .map(p -> p.value().endsWith("/") ? "below " + p.value() : p.value() + " and below")
                                .toList());
            case Caveat.Tenant(String id) -> "only for tenant " + id;
            case Caveat.Ip(List<Cidr> networks) ->
                "only from " + anyOf(networks.stream().map(Cidr::toString).toList());
            case Caveat.Bytes(long max) -> "only bodies up to " + bytes(max);
            case Caveat.Rate(long perSecond, long burst) ->
                "at most " + perSecond + " request(s) per second, in bursts of up to " + burst;
            case Caveat.Budget(OptionalLong requests, OptionalLong bytes) -> budget(requests, bytes);
            case Caveat.Bind(Binding key) ->
                switch (key.kind()) {
                    case DPOP -> "only with a DPoP proof of key " + key.thumbprint();
                    case CERTIFICATE -> "only over a connection with client certificate " + key.thumbprint();
                };
            case Caveat.Unknown(String type) ->
                "a restriction of type \"" + type + "\" that this version does not know: always refused";
        };
    }

    private static String anyOf(List<String> words) {
        if (words.size() == 1) {
            return words.getFirst();
        }
        return words.subList(0, words.size() - 1).stream().collect(Collectors.joining(", ")) + " or " + words.getLast();
    }

    private static String budget(OptionalLong requests, OptionalLong bytes) {
        String first = requests.isPresent() ? requests.getAsLong() + " request(s)" : "";
        String second = bytes.isPresent() ? bytes(bytes.getAsLong()) + " of bodies" : "";
        String both = first.isEmpty() || second.isEmpty() ? first + second : first + " and " + second;
        return "at most " + both + " in all, at each verifier";
    }

    private static String bytes(long count) {
        if (count >= 1 << 20 && count % (1 << 20) == 0) {
            return (count >> 20) + " MiB";
        }
        return count >= 1 << 10 && count % (1 << 10) == 0 ? (count >> 10) + " KiB" : count + " bytes";
    }

    /** An instant and how far away it is. */
    static String moment(long second, long now) {
        // Beyond the year 9999 only the number makes sense.
        String when = second <= 253_402_300_799L ? Instant.ofEpochSecond(second).toString() : "second " + second;
        return when + (second >= now ? " (in " + span(second - now) + ")" : " (" + span(now - second) + " ago)");
    }

    static String span(long seconds) {
        Duration duration = Duration.ofSeconds(seconds);
        if (seconds < 120) {
            return seconds + " s";
        }
        if (seconds < 7200) {
            return duration.toMinutes() + " min";
        }
        return seconds < 172_800 ? duration.toHours() + " h" : duration.toDays() + " days";
    }
}
