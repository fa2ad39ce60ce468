package dev.ron.edge.pack;

/** Hears how far a long piece of work on tiles has come. */
public interface Headway {
    /** For who does not want to know. */
    Headway UNHEARD = new Headway() {
        @Override
        public void total(long tiles) {}

        @Override
        public void done(long tiles) {}
    };

    /** How many tiles there will be, as soon as that is known; it may never be. */
    void total(long tiles);

    /** How many are done by now. */
    void done(long tiles);
}
