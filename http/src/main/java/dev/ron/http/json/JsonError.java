package dev.ron.http.json;

import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;

/** A document that was refused: where, and why in words that hold nothing of our own classes. */
public final class JsonError extends RonException {
    private static final long serialVersionUID = 1L;

    private final int line;
    private final int column;
    private final String path;

    JsonError(int line, int column, String path, String problem) {
        super(Code.PARSE_ERROR, "json", describe(line, column, path, problem));
        this.line = line;
        this.column = column;
        this.path = path;
    }

    private static String describe(int line, int column, String path, String problem) {
        String place = line > 0 ? "line " + line + ", column " + column + ": " : "";
        return place + (path.isEmpty() ? "" : path + ": ") + problem;
    }

    /** The line from 1 on, or 0 where it is not known. */
    public int line() {
        return line;
    }

    /** The column from 1 on, or 0 where it is not known. */
    public int column() {
        return column;
    }

    /** The field, for example {@code approvals[2].key}; empty for the document itself. */
    public String path() {
        return path;
    }
}
