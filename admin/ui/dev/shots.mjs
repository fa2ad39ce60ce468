// Pictures of the pages, for people to look at: `node dev/shots.mjs <folder> [base url] [name,name]`.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Fixture } from './fixture.mjs';
import { launch, open, overflow } from './browser.mjs';

const PAGES = [
  ['home', '/', 'one'],
  ['trouble', '/', 'trouble'],
  ['fleet', '/', 'fleet'],
  ['node', '/nodes/self', 'one'],
  ['metrics', '/nodes/self/metrics', 'one'],
  ['facets', '/nodes/self/facets', 'one'],
  ['probes', '/nodes/self/probes', 'one'],
  ['tenants', '/tenants', 'one'],
  ['edge', '/edge', 'one'],
  ['passport', '/passport', 'one'],
  ['registry', '/registry', 'one'],
  ['activity', '/activity', 'one'],
  ['console', '/console', 'one'],
  ['settings', '/settings', 'one'],
];
const [folder, base, only] = [process.argv[2] ?? '/tmp/shots', process.argv[3] || null, process.argv[4]?.split(',')];
const themes = (process.env.THEMES ?? 'light,dark').split(',');
const widths = (process.env.WIDTHS ?? '1440,390').split(',').map(Number);
const lang = process.env.LANGUAGE_OF_PAGES ?? 'en-US';

mkdirSync(folder, { recursive: true });
const browser = await launch();
for (const [name, path, scene] of PAGES.filter(([name]) => !only || only.includes(name))) {
  const fixture = base ? null : new Fixture(scene).withHistory();
  const at = base ?? (await fixture.listen());
  for (const theme of themes) {
    for (const width of widths) {
      const { context, page, trouble } = await open(browser, at, { width, height: width < 600 ? 844 : 900, theme, lang });
      await page.goto(at + path);
      await page.locator('h1').first().waitFor();
      await page.waitForTimeout(name === 'fleet' || name === 'settings' ? 400 : 900);
      await page.screenshot({ path: join(folder, `${name}-${theme}-${width}.png`), fullPage: process.env.FULL !== '0' || width > 1000 });
      const over = await overflow(page);
      if (over > 0 || trouble.length) {
        console.log(name, theme, width, 'overflow', over, trouble.join(' | '));
      }
      await context.close();
    }
  }
  await fixture?.close();
}
await browser.close();
