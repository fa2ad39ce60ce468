package dev.ron.edge.pack.demo;

/** A settlement; rank 0 is a capital, larger numbers are smaller places. */
record Place(String name, Point at, int rank) {

    String kind() {
        return rank == 0 ? "city" : rank < 6 ? "town" : "village";
    }

    /** The first zoom that shows it. */
    int fromZoom() {
        return rank == 0 ? 0 : rank < 6 ? 2 : 4;
    }
}
