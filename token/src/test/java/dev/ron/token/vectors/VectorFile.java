package dev.ron.token.vectors;

import dev.ron.token.json.CanonicalJson;
import dev.ron.token.json.Json;
import dev.ron.token.json.Members;
import dev.ron.token.json.StrictJson;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** One group of vectors and the key set they are judged with; one vector per line, so that changes can be read. */
record VectorFile(String jwks, List<Json.Obj> vectors) {
    static final Path FOLDER = Path.of("src/test/resources/vectors");

    void write(String group) throws Exception {
        StringBuilder text = new StringBuilder("{\"jwks\":").append(jwks).append(",\n\"vectors\":[\n");
        for (int i = 0; i < vectors.size(); i++) {
            text.append(CanonicalJson.write(vectors.get(i)));
            text.append(i + 1 < vectors.size() ? ",\n" : "\n");
        }
        Files.writeString(FOLDER.resolve(group + ".json"), text.append("]}\n"));
    }

    static VectorFile read(String group) throws Exception {
        byte[] bytes = Files.readAllBytes(FOLDER.resolve(group + ".json"));
        Members members = new Members(StrictJson.FOREIGN.object(bytes, 1 << 22, group), group);
        String jwks = CanonicalJson.write(members.optionalObject("jwks").orElseThrow());
        List<Json.Obj> vectors = new ArrayList<>();
        for (Json vector : members.array("vectors", 1, 1000)) {
            vectors.add((Json.Obj) vector);
        }
        members.end();
        return new VectorFile(jwks, vectors);
    }

    byte[] jwksBytes() {
        return jwks.getBytes(StandardCharsets.UTF_8);
    }
}
