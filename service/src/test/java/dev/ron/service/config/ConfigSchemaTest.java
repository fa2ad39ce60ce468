package dev.ron.service.config;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ConfigSchemaTest {
    private final JsonNode schema = JsonMapper.shared().readTree(ConfigSchema.json(Sample.SECTIONS));

    @Test
    void schemaCarriesTypeDefaultBoundsAndMeaning() {
        JsonNode key = schema.at("/properties/gateway/properties/max_conns");
        assertThat(key.toString())
                .isEqualTo(
                        "{\"type\":\"integer\",\"minimum\":1,\"maximum\":65535,\"description\":\"Connections at once.\","
                                + "\"default\":512,\"x-change\":\"restart\"}");
        assertThat(schema.at("/properties/gateway/properties/drr/properties/mode/enum")
                        .toString())
                .isEqualTo("[\"auto\",\"always_on\",\"off\"]");
        assertThat(schema.at("/properties/gateway/properties/request_timeout/x-minimum")
                        .asString())
                .isEqualTo("100ms");
    }

    @Test
    void schemaAllowsNothingUnknownAndNamesWhatIsRequired() {
        JsonNode route = schema.at("/properties/gateway/properties/routes/additionalProperties");
        assertThat(route.get("additionalProperties").asBoolean()).isFalse();
        assertThat(route.get("required").toString()).isEqualTo("[\"upstream\"]");
        assertThat(schema.at("/properties/gateway/properties/targets/items/properties")
                        .propertyNames())
                .contains("addr", "weight");
        assertThat(schema.at("/properties/gateway/properties").propertyNames()).contains("admin_key_file");
    }

    @Test
    void referenceListsEveryKeyOnce() {
        String text = ConfigSchema.markdown(Sample.SECTIONS);
        assertThat(text)
                .contains("## `[gateway]`\n\nThe front door.\n")
                .contains("| `gateway.max_conns` | an integer, 1..65535 | `512` | restart | Connections at once. |")
                .contains("| `gateway.cert_path` | a path | unset | hot |  |")
                .contains("| `gateway.tags` | list of: a string | `a,b` | hot |  |")
                .contains(
                        "| `gateway.routes.<name>.upstream` | a URL such as http://127.0.0.1:8080 | required | hot | Where it goes. |")
                .contains("| `gateway.targets[].weight` |")
                .contains("| `gateway.drr.tenant_quanta.<name>` |");
    }
}
