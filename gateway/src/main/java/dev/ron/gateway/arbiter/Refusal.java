package dev.ron.gateway.arbiter;

/** Why a job got no slot; the wire name is the problem's reason and the metric's label. */
public enum Refusal {
    /** No room to wait, or pushed out of it by a tenant with a shorter queue. */
    BUSY("busy", 429, Job.State.SHED),
    /** Waited as long as anyone may. */
    QUEUE_TIMEOUT("queue_timeout", 503, Job.State.EXPIRED),
    /** The client's own deadline came first. */
    DEADLINE("deadline", 504, Job.State.EXPIRED),
    /** Lost to a failure of ours. */
    SHED("shed", 503, Job.State.SHED),
    DRAINING("draining", 503, Job.State.DRAINED);

    private final String reason;
    private final int status;
    private final Job.State state;

    Refusal(String reason, int status, Job.State state) {
        this.reason = reason;
        this.status = status;
        this.state = state;
    }

    public String reason() {
        return reason;
    }

    public int status() {
        return status;
    }

    Job.State state() {
        return state;
    }
}
