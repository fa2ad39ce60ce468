package dev.ron.token.crypto;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import javax.crypto.KDF;
import javax.crypto.spec.HKDFParameterSpec;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;

class HkdfTest {
    @Property(tries = 200)
    void equalsTheHkdfOfTheJdk(@ForAll @Size(32) byte[] seed) throws Exception {
        byte[] expected = KDF.getInstance("HKDF-SHA256")
                .deriveData(HKDFParameterSpec.ofExtract()
                        .addIKM(seed)
                        .thenExpand("pct1 proof".getBytes(StandardCharsets.US_ASCII), 32));
        assertThat(new HolderSeed(seed).opening()).isEqualTo(expected);
    }
}
