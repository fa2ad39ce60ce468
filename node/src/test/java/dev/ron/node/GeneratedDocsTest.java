package dev.ron.node;

import dev.ron.admin.AdminTopology;
import dev.ron.admin.api.OpenApi;
import dev.ron.edge.EdgeTopology;
import dev.ron.gateway.GatewayTopology;
import dev.ron.kernel.testkit.GoldenFile;
import dev.ron.node.cli.CommandReference;
import dev.ron.node.demo.DemoTopology;
import dev.ron.passport.PassportTopology;
import dev.ron.registry.RegistryTopology;
import dev.ron.service.config.ConfigSchema;
import dev.ron.service.status.BuildInfo;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Generated pages say what the code says. */
@Tag("golden")
final class GeneratedDocsTest {

    @Test
    void topologyOfTheDemoIsDocumented() {
        GoldenFile.of("design/topology/demo.md").matches(DemoTopology.TOPOLOGY.markdown());
    }

    @Test
    void topologyOfTheGatewayIsDocumented() {
        GoldenFile.of("design/topology/gateway.md").matches(GatewayTopology.TOPOLOGY.markdown());
    }

    @Test
    void topologyOfTheEdgeIsDocumented() {
        GoldenFile.of("design/topology/edge.md").matches(EdgeTopology.TOPOLOGY.markdown());
    }

    @Test
    void topologyOfTheOpsPlaneIsDocumented() {
        GoldenFile.of("design/topology/ops.md").matches(OpsPlane.TOPOLOGY.markdown());
    }

    @Test
    void topologyOfTheConsoleIsDocumented() {
        GoldenFile.of("design/topology/admin.md").matches(AdminTopology.TOPOLOGY.markdown());
    }

    /** With pools of eight, which is the most there are. */
    @Test
    void topologyOfThePassportOfficeIsDocumented() {
        GoldenFile.of("design/topology/passport.md")
                .matches(PassportTopology.of(8).markdown());
    }

    @Test
    void everyKeyIsInTheReference() {
        GoldenFile.of("reference/config.md").matches(ConfigSchema.markdown(NodeSections.ALL));
    }

    @Test
    void everyCommandIsInTheReference() {
        GoldenFile.of("reference/commands.md").matches(CommandReference.ofRon().markdown());
    }

    @Test
    void theRegistrysDocumentIsItsTopology() {
        GoldenFile.of("design/topology/registry.md")
                .matches(RegistryTopology.of(2, RegistryTopology.COMMITTED).markdown());
    }

    @Test
    void theConsolesApiIsInTheReference() {
        GoldenFile.of("reference/openapi/admin.json")
                .matches(OpenApi.write(BuildInfo.load().version()));
    }

    @Test
    void everyExitCodeIsInTheReference() {
        StringBuilder page = new StringBuilder("# Exit codes\n\nGenerated from code; `./ron docs` writes it anew.\n\n");
        page.append("| code | meaning |\n| --- | --- |\n");
        for (ExitCode code : ExitCode.values()) {
            page.append("| ")
                    .append(code.code())
                    .append(" | ")
                    .append(code.meaning())
                    .append(" |\n");
        }
        GoldenFile.of("reference/exit-codes.md").matches(page.toString());
    }
}
