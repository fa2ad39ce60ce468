package dev.ron.admin.view;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.annotation.JsonSerialize;
import tools.jackson.databind.ser.std.StdSerializer;

/** A column of numbers, oldest first; a gap is NaN here and null in JSON. */
@JsonSerialize(using = Points.Writer.class)
public final class Points {
    public static final Points NONE = new Points(new double[0]);
    private static final double MICRO = 1e6;

    private final double[] values;

    /** Takes the array over. */
    public Points(double[] values) {
        this.values = values;
    }

    public int size() {
        return values.length;
    }

    public double at(int i) {
        return values[i];
    }

    /** The newest {@code n}. */
    public Points last(int n) {
        return n >= values.length
                ? this
                : new Points(java.util.Arrays.copyOfRange(values, values.length - n, values.length));
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Points p && java.util.Arrays.equals(values, p.values);
    }

    @Override
    public int hashCode() {
        return java.util.Arrays.hashCode(values);
    }

    /** Writes numbers to a millionth: more is noise, and takes place. */
    static final class Writer extends StdSerializer<Points> {
        Writer() {
            super(Points.class);
        }

        @Override
        public void serialize(Points points, JsonGenerator out, SerializationContext context) {
            out.writeStartArray();
            for (double value : points.values) {
                if (!Double.isFinite(value)) {
                    out.writeNull();
                } else {
                    double rounded = Math.abs(value) < 1e9 ? Math.rint(value * MICRO) / MICRO : value;
                    if (rounded == Math.rint(rounded) && Math.abs(rounded) < 1e15) {
                        out.writeNumber((long) rounded);
                    } else {
                        out.writeNumber(rounded);
                    }
                }
            }
            out.writeEndArray();
        }
    }
}
