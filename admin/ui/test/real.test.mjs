// The pages as the real console serves them, with its real answers: `RON_CONSOLE=http://127.0.0.1:8084 node --test test/real.test.mjs`.
// It watches one node, n1, which stops being ready when it is told to reload; see PagesInBrowserTest.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { launch, open } from '../dev/browser.mjs';

const base = process.env.RON_CONSOLE;

test('the real console shows a node, acts on it, and tells what that did', { skip: base ? false : 'RON_CONSOLE is not set' }, async () => {
  const browser = await launch();
  try {
    const { page, trouble } = await open(browser, base);
    const response = await page.goto(`${base}/`);
    assert.match(response.headers()['content-security-policy'], /script-src 'self'; style-src 'self'.*require-trusted-types-for 'script'/);
    await page.getByRole('heading', { name: 'n1 is ready' }).waitFor();
    await page.locator('.plane', { hasText: 'gateway' }).waitFor();
    await page.locator('.chart canvas').first().waitFor();
    await page.locator('.nav-foot .pulse', { hasText: 'Live' }).waitFor();

    await page.getByRole('link', { name: 'All about this node' }).click();
    await page.getByRole('button', { name: 'Reload…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(/Type the node/).fill('n1');
    await dialog.getByLabel(/Reason/).fill('to see what it does');
    await dialog.getByRole('button', { name: 'Reload' }).click();
    await dialog.getByText('Done', { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await page.locator('.page-head .state', { hasText: 'Not ready' }).waitFor();
    await page.getByText(/kms is missing/).first().waitFor();

    for (const tab of ['Metrics', 'Facets', 'Probes']) {
      await page.getByRole('link', { name: tab, exact: true }).click();
      await page.waitForFunction(() => !document.querySelector('main .skeleton'));
    }
    for (const place of ['Tenants', 'Edge', 'Passport', 'Registry', 'Settings', 'This console', 'Activity']) {
      await page.getByRole('link', { name: place, exact: true }).click();
      await page.getByRole('heading', { level: 1, name: place }).waitFor();
      await page.waitForFunction(() => !document.querySelector('main .skeleton'));
    }
    await page.getByText('The chain of records holds').waitFor();
    await page.getByText('to see what it does').first().waitFor();
    assert.deepEqual(trouble, []);
  } finally {
    await browser.close();
  }
});
