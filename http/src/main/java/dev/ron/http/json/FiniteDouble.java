package dev.ron.http.json;

import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.deser.std.StdScalarDeserializer;

/** Reads a double from a number only, and only if it is finite: neither {@code "NaN"} nor {@code 1e999}. */
final class FiniteDouble extends StdScalarDeserializer<Double> {
    private final boolean primitive;

    FiniteDouble(boolean primitive) {
        super(primitive ? double.class : Double.class);
        this.primitive = primitive;
    }

    @Override
    public Double deserialize(JsonParser parser, DeserializationContext context) {
        JsonToken token = parser.currentToken();
        if (token == JsonToken.VALUE_NUMBER_FLOAT || token == JsonToken.VALUE_NUMBER_INT) {
            double value = parser.getDoubleValue();
            if (Double.isFinite(value)) {
                return value;
            }
        }
        return (Double) context.handleUnexpectedToken(context.constructType(handledType()), parser);
    }

    @Override
    public Object getNullValue(DeserializationContext context) {
        return primitive ? context.reportInputMismatch(this, "null for a number") : super.getNullValue(context);
    }
}
