package dev.ron.gateway.auth;

import dev.ron.token.verify.Principal;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Streams that were opened with a token: cut when it is revoked or expires, in whichever way that comes about. */
public final class OpenStreams {
    /** A stream that can be ended from outside its loop. */
    public interface Stream {
        Pass pass();

        /** Ends it, since its token opens nothing any more. */
        void cut();
    }

    private final Set<Stream> open = ConcurrentHashMap.newKeySet();
    private Object newsSeen = this;

    public void opened(Stream stream) {
        if (stream.pass().who() != null) {
            open.add(stream);
        }
    }

    public void closed(Stream stream) {
        open.remove(stream);
    }

    public int size() {
        return open.size();
    }

    /**
     * Judges every open stream again: by the clock each time, by everything else when an issuer has news. A token is
     * judged whole, so a revoked id, branch, subject, tenant or key all count. One task only.
     */
    public void review(Door door, long now) {
        Object news = door.news();
        boolean changed = !news.equals(newsSeen); // a record of states that are equal only to themselves
        newsSeen = news;
        for (Stream stream : List.copyOf(open)) {
            Principal who = stream.pass().who();
            boolean expired = who != null && who.expiresAt() <= now;
            if (expired || (changed && !door.stillGood(stream.pass().token()))) {
                open.remove(stream);
                stream.cut();
            }
        }
    }
}
