package dev.ron.registry.commit;

import dev.ron.kernel.call.Ask;
import dev.ron.kernel.channel.Mailbox;
import dev.ron.registry.book.Answer;

/**
 * What the committer takes commands from.
 *
 * @param bell has one place: it says that there is something in one of the others
 */
public record Queues(
        Mailbox<Ask<Job, Answer>> proposals,
        Mailbox<Ask<Job, Answer>> approvals,
        Mailbox<Ask<Job, Answer>> commits,
        Mailbox<Ask<Job, Answer>> ctl,
        Mailbox<Boolean> bell) {

    /** Takes nothing more, and answers as draining what the committer has not taken yet. */
    public void refuse() {
        proposals.drainAndAnswer();
        approvals.drainAndAnswer();
        commits.drainAndAnswer();
        ctl.drainAndAnswer();
    }
}
