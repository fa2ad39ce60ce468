package dev.ron.gateway.arbiter;

/** Hears what an operator should know; called outside the scheduler, from whichever thread found it. */
public interface ArbiterWatch {

    /** The order of service failed; so many queued jobs were answered shed, and it starts anew. */
    void restarted(Throwable cause, int shed);

    /** It failed too often; from now on the upstream is served first come, first served. */
    void fellBackToFifo();

    /** A caller threw when it was told its answer; its slot was taken back. */
    void callerFailed(RuntimeException failure);
}
