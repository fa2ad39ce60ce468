// How long it takes from opening the console to seeing a node with its five planes: `node dev/first-look.mjs <base url>`.
import { launch, open } from './browser.mjs';

const PLANES = ['gateway', 'edge', 'passport', 'registry', 'admin'];
const base = process.argv[2];
const browser = await launch();
for (let turn = 1; turn <= 5; turn++) {
  const { context, page } = await open(browser, base);
  await page.addInitScript((planes) => {
    const look = () => {
      const text = document.querySelector('main')?.innerText ?? '';
      if (planes.every((plane) => new RegExp(`\\b${plane}\\b`, 'i').test(text))) {
        // Two frames on, what is in the document is on the screen.
        requestAnimationFrame(() => requestAnimationFrame(() => (window.seenAt = performance.now())));
      } else {
        requestAnimationFrame(look);
      }
    };
    requestAnimationFrame(look);
  }, PLANES);
  await page.goto(base);
  await page.waitForFunction(() => window.seenAt, null, { timeout: 20_000 });
  console.log(`open ${turn}: node with five planes after ${Math.round(await page.evaluate(() => window.seenAt))} ms`);
  await context.close();
}
await browser.close();
