package dev.ron.service.config;

import java.nio.file.Path;

/** Where a value came from; the first part of every message about it. */
public sealed interface Origin {
    /** A line of the configuration file. */
    record File(Path path, int line) implements Origin {
        @Override
        public String toString() {
            Path name = path.getFileName();
            return (name == null ? path : name) + (line > 0 ? ":" + line : "");
        }
    }

    /** An environment variable, or the file it points to. */
    record Env(String variable) implements Origin {
        @Override
        public String toString() {
            return "env " + variable;
        }
    }

    /** A flag of the command line, as the user typed it without its value. */
    record Flag(String flag) implements Origin {
        @Override
        public String toString() {
            return flag;
        }
    }

    /** The default beside the key in its record. */
    record Builtin() implements Origin {
        @Override
        public String toString() {
            return "default";
        }
    }

    Origin DEFAULT = new Builtin();
}
