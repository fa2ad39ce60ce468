package dev.ron.edge.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.edge.TestEdge;
import dev.ron.edge.pack.demo.DemoWorld;
import dev.ron.http.json.StrictJson;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Clients that others wrote: the pmtiles reader over our ranges, and the page in a real browser; skipped without them. */
class ClientsTest {
    private static final String READER = """
            import { PMTiles, FetchSource } from 'pmtiles';
            const pack = new PMTiles(new FetchSource(process.argv[2] + '/edge/assets/world.pmtiles'));
            const header = await pack.getHeader();
            console.log([header.specVersion, header.minZoom, header.maxZoom, header.numAddressedTiles].join(' '));
            let same = 0;
            for (let z = 0; z <= 4; z++) for (let x = 0; x < 2 ** z; x++) for (let y = 0; y < 2 ** z; y++) {
              const ranged = Buffer.from((await pack.getZxy(z, x, y)).data);
              const tile = Buffer.from(await (await fetch(`${process.argv[2]}/edge/tiles/world/${z}/${x}/${y}.mvt`)).arrayBuffer());
              if (ranged.equals(tile)) same++;
            }
            console.log(same);
            """;
    private static final String BROWSER = """
            import { chromium } from 'playwright-core';
            import { unlinkSync, writeFileSync } from 'node:fs';
            const [url, picture, packs] = process.argv.slice(2);
            const browser = await chromium.launch({ executablePath: process.env.CHROMIUM,
              args: ['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist'] });
            const drawn = page => page.waitForFunction(() => document.body.dataset.drawn === 'yes', null, { timeout: 120000 });
            const first = await browser.newPage({ viewport: { width: 1440, height: 860 } });
            await first.goto(url);
            await drawn(first); // what was a miss for the first is a hit for the next
            const misses = +(await first.textContent('#misses')), badges = await first.locator('#tiles td.miss').count();
            const page = await browser.newPage({ viewport: { width: 1440, height: 860 } });
            const bad = [], outside = [];
            page.on('console', m => { if (m.type() === 'error' || m.type() === 'warning') bad.push(m.text()); });
            page.on('pageerror', e => bad.push(e.message));
            page.on('request', r => { if (!/^(data|blob):/.test(r.url()) && !r.url().startsWith(new URL(url).origin)) outside.push(r.url()); });
            await page.goto(url);
            await drawn(page);
            await page.mouse.click(760, 330);
            await page.waitForSelector('#picked .feature', { timeout: 60000 });
            const colours = await page.evaluate(() => new Promise(done => { const map = globalThis.ronMap; map.once('render', () => {
              const c = map.getCanvas(), gl = c.getContext('webgl2') ?? c.getContext('webgl'), p = new Uint8Array(4 * c.width * c.height);
              gl.readPixels(0, 0, c.width, c.height, gl.RGBA, gl.UNSIGNED_BYTE, p);
              const seen = new Set(); for (let i = 0; i < p.length; i += 400) seen.add(p[i] << 16 | p[i + 1] << 8 | p[i + 2]); done(seen.size); }); map.triggerRepaint(); }));
            await page.screenshot({ path: picture });
            const listed = await page.textContent('#packs dl');
            const visible = () => page.evaluate(() => globalThis.ronMap.getLayoutProperty('roads-line', 'visibility'));
            const road = page.locator('#layers li', { hasText: 'roads' }).locator('input');
            await road.uncheck();
            const switched = [await visible()];
            await road.check();
            switched.push(await visible());
            const fault = page.locator('#packs .fault');
            writeFileSync(packs + '/bad.pmtiles', 'not a pack');
            await fault.waitFor({ timeout: 60000 });
            await page.click('#packs button');
            const stays = await fault.count();
            unlinkSync(packs + '/bad.pmtiles');
            await fault.waitFor({ state: 'detached', timeout: 60000 });
            const encoding = await page.evaluate(async () => (await import('/edge/ui/style.js'))
              .styleFor('p', { vector_layers: [] }, 'mlt', [], '').sources.pack.encoding);
            await first.reload(); // its browser has the tiles, as misses
            await drawn(first);
            const reloaded = { hits: +(await first.textContent('#hits')), misses: +(await first.textContent('#misses')) };
            console.log(JSON.stringify({ bad, outside, misses, badges, listed, switched, stays, encoding, reloaded, colours, layers: await page.locator('#layers li').count(),
              packs: await page.locator('#packs button').count(), hits: +(await page.textContent('#hits')) }));
            await browser.close();
            """;

    @TempDir
    Path folder;

    private TestEdge edge() throws IOException {
        Path packs = Files.createDirectories(folder.resolve("packs"));
        new DemoWorld().write(packs.resolve("world.pmtiles"));
        return new TestEdge(
                "[edge]\npacks_dir = \"%s\"\nverify = \"full\"\n[edge.ingress]\nrps_limit = 1000000\n".formatted(packs),
                Optional.of(folder.resolve("data")));
    }

    private void fetch(String... packages) throws InterruptedException {
        boolean fetched;
        try {
            Files.writeString(folder.resolve("package.json"), "{\"private\":true}");
            fetched = run(
                            "npm.log",
                            Stream.concat(
                                            Stream.of("npm", "install", "--no-audit", "--no-fund", "--fetch-retries=0"),
                                            Stream.of(packages))
                                    .toArray(String[]::new))
                    == 0;
        } catch (IOException _) {
            fetched = false;
        }
        Assumptions.assumeTrue(fetched, "skipped: node or npm is missing, or npm cannot fetch " + List.of(packages));
    }

    private int run(String log, String... command) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve(log).toFile());
        chromium().ifPresent(path -> builder.environment().put("CHROMIUM", path.toString()));
        Process process = builder.start();
        if (!process.waitFor(5, TimeUnit.MINUTES)) {
            process.destroyForcibly().waitFor();
            return -1;
        }
        return process.exitValue();
    }

    private static Optional<Path> chromium() {
        return Stream.of("/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome")
                .map(Path::of)
                .filter(Files::isExecutable)
                .findFirst();
    }

    @Test
    void theReferenceReaderFindsEveryTileByRanges() throws Exception {
        fetch("pmtiles@4.5.0");
        try (TestEdge edge = edge()) {
            Files.writeString(folder.resolve("read.mjs"), READER);
            int code = run("out.txt", "node", "read.mjs", "http://127.0.0.1:" + edge.port());
            String said = Files.readString(folder.resolve("out.txt"));
            assertThat(code).as(said).isZero();
            assertThat(said.lines()).containsExactly("3 0 6 5461", "341");
        }
    }

    @Test
    void aBrowserDrawsTheWorldWithoutAnErrorAndAsksNobodyElse() throws Exception {
        Assumptions.assumeTrue(chromium().isPresent(), "skipped: there is no Chromium here (apt-get install chromium)");
        fetch("playwright-core@1.65.0");
        try (TestEdge edge = edge()) {
            Files.writeString(folder.resolve("look.mjs"), BROWSER);
            String picture = Path.of(System.getProperty("ron.picture", "target/edge-preview.png"))
                    .toAbsolutePath()
                    .toString();
            String packs = folder.resolve("packs").toString();
            int code =
                    run("look.txt", "node", "look.mjs", "http://127.0.0.1:" + edge.port() + "/edge/", picture, packs);
            String said = Files.readString(folder.resolve("look.txt"));
            assertThat(code).as(said).isZero();
            JsonNode saw = new StrictJson().tree(said.getBytes(StandardCharsets.UTF_8));
            assertThat(saw.path("misses").asInt()).as(said).isPositive();
            assertThat(saw.path("badges").asInt()).as(said).isPositive();
            assertThat(saw.path("listed").asString())
                    .contains("zoom 0 to 6", "bounds-180, -85.051, 180, 85.051", "5,461 tiles", "MiB", "digestb3:");
            assertThat(saw.path("switched").toString()).isEqualTo("[\"none\",\"visible\"]");
            assertThat(saw.path("stays").asInt())
                    .as("a fault stays when a pack is chosen")
                    .isOne();
            assertThat(saw.path("encoding").asString()).isEqualTo("mlt");
            assertThat(saw.path("reloaded").path("hits").asInt()).as(said).isPositive();
            assertThat(saw.path("reloaded").path("misses").asInt()).as(said).isZero();
            assertThat(said).contains("\"bad\":[]", "\"outside\":[]", "\"layers\":4", "\"packs\":1");
            // Sea, land, lakes, coasts, roads, places and their names: more than a plain picture has.
            assertThat(Integer.parseInt(said.replaceAll("(?s).*\"colours\":(\\d+).*", "$1")))
                    .as(said)
                    .isGreaterThan(20);
            assertThat(Integer.parseInt(said.replaceAll("(?s).*\"hits\":(\\d+).*", "$1")))
                    .as(said)
                    .isPositive();
            assertThat(Path.of(picture)).isNotEmptyFile();
        }
    }
}
