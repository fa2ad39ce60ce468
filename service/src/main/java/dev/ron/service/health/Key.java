package dev.ron.service.health;

import dev.ron.kernel.sync.Snapshot;

/** One condition of readiness that its owner reports; unmet until said otherwise. */
public final class Key {
    private final String name;
    private final Need need;
    private final Snapshot<KeyState> state;

    Key(String name, Need need) {
        this.name = name;
        this.need = need;
        this.state = new Snapshot<>(new KeyState(name, need, false, "not yet"));
    }

    public void met() {
        state.publish(new KeyState(name, need, true, ""));
    }

    /** @param cause why, in words for an operator */
    public void unmet(String cause) {
        state.publish(new KeyState(name, need, false, cause));
    }

    KeyState state() {
        return state.get();
    }
}
