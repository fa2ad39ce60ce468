package dev.ron.admin.api;

/** The page {@code docs/reference/admin-api.md}: every route, who may use it, and what it answers. */
public final class Reference {
    private Reference() {}

    public static String write() {
        StringBuilder out = new StringBuilder("""
                # The console's API

                Generated from code; `./ron docs` writes it anew. Every body is described in `GET /api/openapi.json`; the TypeScript
                types are in `admin/ui/src/api/types.ts`. JSON members are camelCase, problem bodies (RFC 9457) snake_case. A number
                that cannot be computed is `null`, never 0. Unsafe methods need `Content-Type: application/json`, a same-origin
                request, and `X-Csrf-Token` from `/api/me`; actions also an `Idempotency-Key`.

                | route | needs | answers | |
                | --- | --- | --- | --- |
                """);
        for (Endpoint endpoint : Endpoint.values()) {
            out.append("| `")
                    .append(endpoint.method())
                    .append(' ')
                    .append(endpoint.path())
                    .append("` | ")
                    .append(endpoint.access().words())
                    .append(" | ")
                    .append(endpoint.answer() == Void.class ? "" : "`" + Shapes.name(endpoint.answer()) + "` ")
                    .append(endpoint.statuses().stream()
                            .map(String::valueOf)
                            .collect(java.util.stream.Collectors.joining(" ")))
                    .append(" | ")
                    .append(endpoint.does())
                    .append(" |\n");
        }
        return out.append("""

                ## States

                | state | tone | when (the first that holds) |
                | --- | --- | --- |
                | `unreachable` | danger | no probe answered in the last round |
                | `stale` | muted | the last round is older than three status intervals |
                | `draining` | info | the node's phase is draining or aborting |
                | `down` | danger | `/healthz` is not 2xx |
                | `not_ready` | danger (prod), warn | not ready, or a plane fails |
                | `unknown` | muted | nobody said whether it is ready |
                | `degraded` | warn | degraded, not ready for writes, a plane degraded, or a probe failed |
                | `ready` | ok | otherwise |

                ## Events

                `GET /api/events` sends `hello`, `node`, `gone`, `metrics`, `audit` (operator and above), `config`, `auth`, `lagged` and
                `bye`; the data of each is the record of that name in `LiveEvent`. Open one per browser. `id:` is a number that grows;
                `Last-Event-ID` goes on where the stream broke off, or says `lagged` where that is too long ago: then read
                `/api/nodes` again. A comment every 15 s says that the stream lives.
                """).toString();
    }
}
