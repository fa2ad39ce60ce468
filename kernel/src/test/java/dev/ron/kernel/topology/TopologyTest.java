package dev.ron.kernel.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class TopologyTest {
    private static final Topology GATEWAY = Topology.of(
            "svc-gateway",
            "Stays fair between tenants.",
            Topology.mailbox("work", 512).from("listener").to("drr-scheduler"),
            Topology.mailbox("sched", 512).from("drr-scheduler").to("worker").onFull(OnFull.DROP_OLDEST),
            Topology.broadcast("events", 1024).from("core").to("observers"),
            Topology.watch("config").from("reloader").to("all"),
            Topology.lock("counters", 3).owner("worker"),
            Topology.lock("state_meta", 1).owner("config-reloader"),
            Topology.lane("files", 2, 256),
            Topology.permits("inflight", 512).of("requests in flight"),
            Topology.task("drr-scheduler")
                    .critical(TaskSpec.Criticality.CRITICAL)
                    .does("shares capacity"),
            Topology.task("worker").instances("min(cores, 8)"));

    @Test
    void theDocumentSaysEverythingOnce() {
        assertThat(GATEWAY.markdown()).isEqualTo("""
                        # Topology of svc-gateway

                        Stays fair between tenants.

                        Generated from code; `./ron docs` writes it anew, and a test fails when it is out of date.

                        ## Tasks

                        | kind | instances | criticality | on failure | thread | stops in | does |
                        | --- | --- | --- | --- | --- | --- | --- |
                        | `drr-scheduler` | 1 | critical | restarted | virtual | work | shares capacity |
                        | `worker` | min(cores, 8) | medium | restarted | virtual | work |  |

                        ## Mailboxes

                        | queue | capacity | from | to | when full | at drain | closes in |
                        | --- | --- | --- | --- | --- | --- | --- |
                        | `work` | 512 | listener | drr-scheduler | reject the new | answer `draining` | work |
                        | `sched` | 512 | drr-scheduler | worker | hand back the oldest | answer `draining` | work |

                        ## Broadcasts

                        | name | capacity | from | to | when full |
                        | --- | --- | --- | --- | --- |
                        | `events` | 1024 | core | observers | overwrite; the slow reader learns how much it missed |

                        ## Watches

                        | name | writer | readers |
                        | --- | --- | --- |
                        | `config` | reloader | all |

                        ## Locks, outermost first

                        | lock | rank | owner |
                        | --- | --- | --- |
                        | `state_meta` | 1 | config-reloader |
                        | `counters` | 3 | worker |

                        ## Lanes

                        | lane | threads | capacity | stops in |
                        | --- | --- | --- | --- |
                        | `files` | 2 | 256 | watchers |

                        ## Permits

                        | name | limit | bounds |
                        | --- | --- | --- |
                        | `inflight` | 512 | requests in flight |

                        ## Flow

                        ```mermaid
                        flowchart LR
                          listener["listener"] -->|"work 512"| drr_scheduler["drr-scheduler"]
                          drr_scheduler["drr-scheduler"] -->|"sched 512"| worker["worker"]
                          core["core"] -.->|"events 1024"| observers["observers"]
                        ```
                        """);
    }

    @Test
    void aPartIsDeclaredOnceAndNamesAreLabels() {
        assertThatThrownBy(() -> Topology.of("svc", "", Topology.task("a"), Topology.task("a")))
                .hasMessageContaining("declared twice");
        assertThatThrownBy(() -> Topology.task("Bad Name")).hasMessageContaining("lower-case words");
        assertThatThrownBy(() -> Topology.broadcast("events", 1)).hasMessageContaining("expected: 2..");
        assertThatThrownBy(() -> Topology.lane("files", 0, 1)).hasMessageContaining("at least one thread");
    }

    @Test
    void aQueueClosesInTheStageOfItsReceiver() {
        assertThatThrownBy(() -> Topology.of(
                        "svc",
                        "",
                        Topology.mailbox("proposals", 512).to("committer"),
                        Topology.task("committer").stage(Stage.WRITERS)))
                .hasMessageContaining("queue proposals closes in WORK, its receiver committer stops in WRITERS");
    }
}
