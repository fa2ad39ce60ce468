// The pages in a real browser, against made-up answers: every page in every theme, by keyboard, offline, stale, hostile.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { Fixture } from '../dev/fixture.mjs';
import { launch, open, overflow } from '../dev/browser.mjs';

const AXE = readFileSync(new URL('../node_modules/axe-core/axe.min.js', import.meta.url), 'utf8');
const PAGES = [
  '/',
  '/nodes/self',
  '/nodes/self/metrics',
  '/nodes/self/facets',
  '/nodes/self/probes',
  '/tenants',
  '/edge',
  '/passport',
  '/registry',
  '/activity',
  '/console',
  '/settings',
  '/signin',
  '/no-such-page',
];
const KIB = 1024;

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

/** Runs with a fresh console of made-up answers, and fails on any error of the page. */
async function on(scene, options, body) {
  const fixture = new Fixture(scene).withHistory();
  fixture.statusMs = options.statusMs;
  const base = await fixture.listen();
  const { context, page, trouble } = await open(browser, base, options);
  try {
    await body({ fixture, base, context, page });
    assert.deepEqual(trouble, [], 'the page ran without errors and asked nobody else');
  } finally {
    await context.close();
    await fixture.close();
  }
}

const visit = async (page, base, path) => {
  await page.goto(base + path);
  await settled(page);
};

/** Goes to another page as a link does, without loading everything anew. */
async function walk(page, path) {
  await page.evaluate((to) => {
    const link = document.createElement('a');
    link.href = to;
    document.body.append(link);
    link.click();
    link.remove();
  }, path);
  await page.waitForFunction((to) => location.pathname === to, path);
  await settled(page);
}

/** The page is there, and nothing is still on its way. */
async function settled(page) {
  await page.locator('main :is(h1, .empty-title)').first().waitFor();
  await page.waitForFunction(() => !document.querySelector('main .skeleton'));
}

const live = (page) => page.locator('.nav-foot .pulse', { hasText: 'Live' }).waitFor();

async function findings(page, rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']) {
  if (!(await page.evaluate(() => 'axe' in window))) {
    await page.evaluate(AXE);
  }
  const { violations } = await page.evaluate((runOnly) => axe.run(document, { runOnly }), rules);
  return violations.filter(({ impact }) => impact === 'serious' || impact === 'critical').map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`);
}

describe('every page', () => {
  for (const theme of ['light', 'dark', 'contrast']) {
    test(`in the ${theme} theme has no serious finding and fits its window`, () =>
      on('one', { theme }, async ({ base, page }) => {
        // A theme changes colours and nothing else, so that one theme is asked about everything and the others about colour.
        const rules = theme === 'light' ? undefined : ['color-contrast', 'link-in-text-block'];
        await visit(page, base, '/');
        for (const path of PAGES) {
          await walk(page, path);
          assert.deepEqual(await findings(page, rules), [], `${path} in ${theme}`);
          assert.equal(await overflow(page), 0, `${path} at 1440 px`);
        }
      }));
  }

  test('fits a phone, in Spanish too, where words are longer', () =>
    on('trouble', { width: 360, height: 780, lang: 'es-ES', theme: 'dark' }, async ({ base, page }) => {
      await visit(page, base, '/');
      for (const path of PAGES) {
        await walk(page, path);
        assert.equal(await overflow(page), 0, `${path} at 360 px`);
      }
      assert.equal(await page.locator('html').getAttribute('lang'), 'es');
      assert.deepEqual(await findings(page), []);
    }));

  test('of a fleet in trouble has no serious finding', () =>
    on('fleet', {}, async ({ base, page }) => {
      for (const path of ['/', '/?wall=1', '/nodes/lab', '/nodes/eu-passport', '/edge?node=lab']) {
        await visit(page, base, path);
        assert.deepEqual(await findings(page), [], path);
        assert.equal(await overflow(page), 0, path);
      }
    }));
});

describe('the first screen', () => {
  test('shows the node, its five planes, moving charts and both tenants', () =>
    on('one', {}, async ({ base, page }) => {
      await visit(page, base, '/');
      await page.getByRole('heading', { name: 'This node is ready' }).waitFor();
      for (const plane of ['gateway', 'edge', 'passport', 'registry', 'admin']) {
        await page.locator('.plane', { hasText: plane }).first().waitFor();
      }
      await page.locator('.chart canvas').nth(3).waitFor();
      await page.getByRole('rowheader', { name: 'acme' }).waitFor();
      await page.getByRole('rowheader', { name: 'globex' }).waitFor();
    }));

  test('takes at most 60 KiB of script', () =>
    on('one', {}, async ({ base, page }) => {
      const scripts = [];
      page.on('response', (response) => response.url().endsWith('.js') && scripts.push(response.body()));
      await visit(page, base, '/');
      await page.locator('.chart canvas').nth(3).waitFor();
      const bytes = (await Promise.all(scripts)).reduce((sum, body) => sum + gzipSync(body, { level: 9 }).length, 0);
      assert.ok(bytes > 0 && bytes <= 60 * KIB, `${bytes} bytes of gzip`);
    }));

  test('says how to add a node where there is none', () =>
    on('empty', {}, async ({ base, page }) => {
      await visit(page, base, '/');
      await page.getByText('[admin.nodes.eu-1]').waitFor();
    }));
});

describe('the truth', () => {
  test('is told within moments when a node changes, in words and never greener', () =>
    on('one', {}, async ({ fixture, base, page }) => {
      await visit(page, base, '/');
      await live(page);
      fixture.change('self', {
        state: 'degraded',
        tone: 'warn',
        failing: 'gateway',
        causes: [{ key: 'plane.degraded', args: ['gateway', ': demo refuses'], text: 'gateway is degraded: demo refuses' }],
      });
      await page.getByRole('heading', { name: 'This node: Degraded' }).waitFor();
      await page.getByText('gateway is degraded: demo refuses').first().waitFor();
      await page.locator('[aria-live]', { hasText: 'This node: Degraded' }).waitFor({ state: 'attached' });
    }));

  test('the worst node leads the fleet, and its cause is on the first line', () =>
    on('fleet', {}, async ({ base, page }) => {
      await visit(page, base, '/');
      assert.equal(await page.locator('h1').innerText(), '4 of 8 nodes need attention');
      assert.equal(await page.locator('.card-name').first().innerText(), 'Lab');
      assert.equal(await page.locator('.headline-cause').innerText(), 'Lab: /healthz: connection refused');
    }));

  test('a console that falls silent is said so, nothing stays green, and it recovers by itself', () =>
    on('fleet', { statusMs: 400 }, async ({ fixture, base, page }) => {
      await visit(page, base, '/');
      const green = page.locator('main .state.tone-ok');
      assert.ok((await green.count()) > 0);
      await fixture.close();
      await page.getByText('The console does not answer.').waitFor();
      await page.waitForFunction(() => document.querySelectorAll('main .state.tone-ok').length === 0);
      await page.getByText('Ready, last known').first().waitFor();
      const again = new Fixture('fleet');
      again.statusMs = 400;
      await again.listen(Number(new URL(base).port));
      fixture.server = again.server;
      await page.getByText('The console does not answer.').waitFor({ state: 'detached' });
      await page.waitForFunction(() => document.querySelectorAll('main .state.tone-ok').length > 0);
    }));

  test('stale numbers are said to be stale, missing ones are not invented', () =>
    on('fleet', {}, async ({ fixture, base, page }) => {
      fixture.metricsState = 'stale';
      await visit(page, base, '/nodes/self');
      await page.getByText('Stale: last sample 1 min 14 s ago.').first().waitFor();
      await visit(page, base, '/nodes/lab');
      await page.getByText('Metrics unavailable').waitFor();
      await page.getByText('not reported by this node').first().waitFor();
      assert.equal(await page.locator('main canvas').count(), 0);
    }));

  test('names that hold markup or change direction are shown as text', () =>
    on('hostile', {}, async ({ base, page }) => {
      page.on('dialog', () => assert.fail('a script of a label ran'));
      await visit(page, base, '/');
      await page.getByText('<img src=x onerror=alert(1)>').first().waitFor();
      assert.equal(await page.locator('main img, main b, main script').count(), 0);
      assert.match(await page.locator('.headline-cause').innerText(), /\\u202e/);
    }));
});

describe('the keyboard', () => {
  test('alone walks from the skip link to a node, its pages and back', () =>
    on('fleet', {}, async ({ base, page }) => {
      await visit(page, base, '/');
      const focused = () => page.evaluate(() => document.activeElement?.textContent?.trim());
      const where = () => new URL(page.url()).pathname;
      await page.keyboard.press('Tab');
      assert.equal(await focused(), 'Skip to content');
      await page.keyboard.press('Enter');
      assert.equal(await page.evaluate(() => document.activeElement?.id), 'main');
      await page.keyboard.press('/');
      await page.keyboard.type('gateway');
      await page.getByText('2 of 8 nodes shown').waitFor();
      assert.match(page.url(), /q=gateway/);
      await page.keyboard.press('Escape');
      await page.keyboard.press('j');
      await page.keyboard.press('j');
      assert.equal(await focused(), 'EU gateway 1');
      assert.notEqual(await page.evaluate(() => getComputedStyle(document.activeElement, '::after').outlineStyle), 'none');
      await page.keyboard.press('k');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { level: 1, name: 'EU gateway 2' }).waitFor();
      assert.equal(where(), '/nodes/eu-gateway-2');
      for (const [key, path] of [
        ['t', '/tenants'],
        ['e', '/edge'],
        ['p', '/passport'],
        ['r', '/registry'],
        ['a', '/activity'],
        ['c', '/console'],
        ['s', '/settings'],
        ['f', '/'],
      ]) {
        await page.keyboard.press('g');
        await page.keyboard.press(key);
        await page.waitForFunction((to) => location.pathname === to, path);
      }
      await page.keyboard.press('?');
      await page.getByRole('dialog', { name: 'Keys' }).waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'hidden' });
      await page.keyboard.press('p');
      await page.getByText('Paused: this page does not change').waitFor();
      await page.keyboard.press('p');
      await page.keyboard.press('t');
      assert.equal(await page.locator('html').getAttribute('data-theme'), 'dark');
    }));

  test('pressed in the first moment of a page stands for itself, not for a place', () =>
    on('one', {}, async ({ base, page }) => {
      await visit(page, base, '/');
      await page.evaluate(() => {
        const early = new KeyboardEvent('keydown', { key: 'p', bubbles: true });
        Object.defineProperty(early, 'timeStamp', { value: 5 });
        document.body.dispatchEvent(early);
      });
      await page.getByText('Paused: this page does not change').waitFor();
      assert.equal(new URL(page.url()).pathname, '/');
    }));

  test('every chart turns into its table', () =>
    on('one', {}, async ({ base, page }) => {
      await visit(page, base, '/');
      await page.getByRole('button', { name: 'Data of “Latency” as a table' }).focus();
      await page.keyboard.press('Enter');
      const table = page.getByRole('table', { name: 'Latency' });
      await table.waitFor();
      assert.deepEqual(await table.locator('thead th').allInnerTexts(), ['Time', 'p50', 'p95', 'p99']);
      assert.ok((await table.locator('tbody tr').count()) > 20);
    }));
});

describe('actions', () => {
  test('need the id typed by hand, carry reason, token and key, and say what became of them', () =>
    on('fleet', {}, async ({ fixture, base, page }) => {
      await visit(page, base, '/nodes/eu-edge-1');
      const opener = page.getByRole('button', { name: 'Drain…' });
      await opener.focus();
      await page.keyboard.press('Enter');
      const dialog = page.getByRole('dialog', { name: /Drain EU edge 1/ });
      const send = dialog.getByRole('button', { name: 'Drain' });
      await dialog.waitFor();
      await page.keyboard.type('eu-edge');
      assert.equal(await send.isDisabled(), true);
      await page.keyboard.type('-1');
      assert.equal(await send.isDisabled(), true, 'a prod node needs a reason');
      await page.keyboard.press('Tab');
      await page.keyboard.type('kernel update on this host');
      assert.deepEqual(await findings(page), []);
      await page.keyboard.press('Tab');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await dialog.getByText('Done').waitFor();
      assert.deepEqual(fixture.actions, [{ node: 'eu-edge-1', action: 'drain', confirm: 'eu-edge-1', reason: 'kernel update on this host' }]);
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'hidden' });
      assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Drain…');
    }));

  test('whose outcome nobody knows are said to be unknown, and are not sent again', () =>
    on('one', {}, async ({ fixture, base, page }) => {
      fixture.actionAnswer = [504, 'timeout', 'the node did not answer in 5 s'];
      await visit(page, base, '/nodes/self');
      await page.getByRole('button', { name: 'Reload…' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel(/Type the node/).fill('self');
      await dialog.getByRole('button', { name: 'Reload' }).click();
      await dialog.getByText('Not known: the node may or may not have acted').waitFor();
      assert.equal(fixture.actions.length, 1);
    }));

  test('are not shown to a viewer, and what needs a role says which', () =>
    on('viewer', {}, async ({ base, page }) => {
      await visit(page, base, '/nodes/self');
      assert.equal(await page.getByRole('group', { name: 'Actions' }).count(), 0);
      await visit(page, base, '/activity');
      await page.getByText('This needs the role operator.').waitFor();
    }));
});

test('three tabs share one stream, and another takes it over when its tab closes', () =>
  on('one', {}, async ({ fixture, base, context, page }) => {
    await visit(page, base, '/');
    await live(page);
    const second = await context.newPage();
    await visit(second, base, '/');
    const third = await context.newPage();
    await visit(third, base, '/tenants');
    await live(third);
    assert.equal(fixture.streams.size, 1);
    await page.close();
    fixture.change('self', { name: 'Renamed' });
    await second.getByRole('heading', { name: 'Renamed is ready' }).waitFor();
    assert.equal(fixture.streams.size, 1);
  }));

test('a thousand nodes are listed, found and filtered', () =>
  on('thousand', {}, async ({ base, page }) => {
    await visit(page, base, '/');
    await page.getByText('1,000 of 1,000 nodes shown').waitFor();
    assert.equal(await page.locator('tbody tr').count(), 60);
    await page.getByRole('searchbox').fill('node-0777');
    await page.getByText('1 of 1,000 nodes shown').waitFor();
    await page.getByRole('searchbox').fill('');
    await page.getByRole('button', { name: /Unreachable/ }).click();
    await page.waitForFunction(() => [...document.querySelectorAll('tbody .state')].every((cell) => cell.textContent === 'Unreachable'));
    assert.match(page.url(), /state=unreachable/);
  }));

test('a token signs in, a bad one says so, and the token is kept nowhere a script can see', () =>
  on('signin', {}, async ({ base, page }) => {
    await visit(page, base, '/tenants');
    await page.getByLabel(/Passport token/).fill('bad');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('the token is not valid').waitFor();
    await page.getByLabel(/Passport token/).fill('good');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { level: 1, name: 'Tenants' }).waitFor();
    assert.doesNotMatch(await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage, cookie: document.cookie })), /good/);
  }));
