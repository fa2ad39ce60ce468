// Finds Debian's Chromium (or $CHROMIUM_PATH) and opens pages in it.
import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';

const PATHS = [process.env.CHROMIUM_PATH, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
export const executablePath = PATHS.find((path) => path && existsSync(path));

export function launch() {
  return chromium.launch({
    executablePath,
    headless: true,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run'],
  });
}

/** A page that fails the test on any error, and on any request to somewhere else. */
export async function open(browser, base, { width = 1440, height = 900, theme = 'light', lang = 'en-US', ...more } = {}) {
  const context = await browser.newContext({ viewport: { width, height }, reducedMotion: 'reduce', ...more });
  await context.addInitScript(
    ([prefs]) => {
      if (!localStorage.getItem('ron.prefs')) {
        localStorage.setItem('ron.prefs', prefs);
      }
    },
    [JSON.stringify({ theme, lang })],
  );
  const page = await context.newPage();
  const trouble = [];
  page.on('pageerror', (error) => trouble.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error' && !/Failed to load resource/.test(message.text())) {
      trouble.push(message.text());
    }
  });
  page.on('request', (request) => {
    if (!request.url().startsWith(base) && !request.url().startsWith('blob:')) {
      trouble.push(`outside request: ${request.url()}`);
    }
  });
  return { context, page, trouble };
}

/** Nothing stands out of the window to the side. */
export function overflow(page) {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}
