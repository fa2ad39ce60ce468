// The console of a real node in passport mode, in a real browser, with real load; see ConsoleInBrowserTest, which starts it.
import assert from 'node:assert/strict';
import { request } from 'node:http';
import { after, before, test } from 'node:test';
import { launch, open } from '../dev/browser.mjs';

const base = process.env.RON_CONSOLE;
const gateway = process.env.RON_GATEWAY;
const upstream = process.env.RON_UPSTREAM;
const tokens = JSON.parse(process.env.RON_TOKENS ?? '{}');
const skip = base ? false : 'RON_CONSOLE is not set';

let browser;
let load;

const send = (url, method, token) =>
  new Promise((resolve) => {
    const headers = token ? { Authorization: `Bearer ${token}` } : {};
    const call = request(url, { method, headers }, (answer) => answer.resume().on('end', resolve));
    call.on('error', resolve).end();
  });

before(async () => {
  if (!skip) {
    browser = await launch();
    load = setInterval(() => [tokens.acme, tokens.globex].forEach((token) => send(`${gateway}/demo/echo`, 'GET', token)), 40);
  }
});

after(async () => {
  clearInterval(load);
  await browser?.close();
});

async function signIn(page, token) {
  await page.goto(base);
  await page.getByLabel(/Passport token/).fill(token);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

async function as(token, body) {
  const { context, page, trouble } = await open(browser, base);
  try {
    await signIn(page, token);
    await page.getByRole('heading', { level: 1, name: /This node/ }).waitFor();
    await body(page);
    assert.deepEqual(trouble, [], 'the page ran without errors and asked nobody else');
  } finally {
    await context.close();
  }
}

test('nobody gets past the sign-in page with a token that is not good here, and its token is kept nowhere', { skip }, async () => {
  const { context, page } = await open(browser, base);
  for (const [token, words] of [
    ['nonsense', 'the token is not good here'],
    [tokens.acme, 'the token is not good here'],
    [tokens.elsewhere, 'the token names no role of the console'],
  ]) {
    await signIn(page, token);
    await page.getByRole('alert').getByText(words).waitFor();
    assert.equal(await page.locator('nav').count(), 0, 'who is not known has nowhere to go');
    assert.deepEqual(await context.cookies(), []);
  }
  await context.close();
});

test('a viewer looks and does nothing', { skip }, () =>
  as(tokens.viewer, async (page) => {
    await page.locator('.nav-who', { hasText: 'vera' }).waitFor();
    await page.goto(`${base}/nodes/self`);
    await page.locator('.plane').first().waitFor();
    assert.equal(await page.getByRole('group', { name: 'Actions' }).count(), 0);
    await page.goto(`${base}/activity`);
    await page.getByText('This needs the role operator.').waitFor();
    const refused = await page.evaluate(async () => {
      const me = await (await fetch('/api/me')).json();
      const headers = { 'Content-Type': 'application/json', 'X-Csrf-Token': me.csrfToken, 'Idempotency-Key': crypto.randomUUID() };
      return (await fetch('/api/nodes/self/reload', { method: 'POST', headers, body: JSON.stringify({ confirm: 'self' }) })).status;
    });
    assert.equal(refused, 403, 'and the server does not take the page’s word for it');
  }));

test('an operator known by an access token acts within the role, and signs out', { skip }, () =>
  as(tokens.operator, async (page) => {
    const [cookie] = await page.context().cookies();
    assert.deepEqual([cookie.httpOnly, cookie.sameSite], [true, 'Strict']);
    assert.doesNotMatch(await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage, cookie: document.cookie })), /eyJ/);
    await page.goto(`${base}/nodes/self`);
    const actions = page.getByRole('group', { name: 'Actions' });
    await actions.waitFor();
    assert.deepEqual(await actions.getByRole('button').allInnerTexts(), ['Reload…', 'Drain…']);
    await page.goto(`${base}/settings`);
    await page.getByText('olga').first().waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
    assert.deepEqual(await page.context().cookies(), []);
  }));

test('the first screen has the five planes, charts that move and both tenants; an upstream that dies turns its gateway amber, in words', { skip }, () =>
  as(tokens.admin, async (page) => {
    for (const plane of ['gateway', 'edge', 'passport', 'registry', 'admin']) {
      await page.locator('.plane.tone-ok', { hasText: plane }).first().waitFor();
    }
    await page.getByRole('rowheader', { name: 'acme' }).waitFor();
    await page.getByRole('rowheader', { name: 'globex' }).waitFor();
    const gist = () => page.locator('.chart-canvas').first().getAttribute('aria-label');
    await page.waitForFunction(() => /gateway: now [1-9]/.test(document.querySelector('.chart-canvas')?.ariaLabel ?? ''));
    const earlier = await gist();
    await page.waitForFunction((before) => document.querySelector('.chart-canvas').ariaLabel !== before, earlier);

    await send(`${upstream}/die`, 'POST');
    await page.getByRole('heading', { name: 'This node: Degraded' }).waitFor();
    await page.locator('.headline-cause', { hasText: 'no target of upstream demo answers' }).waitFor();
    await page.locator('.plane.tone-warn', { hasText: 'gateway' }).waitFor();
    for (const plane of ['edge', 'passport', 'registry']) {
      assert.equal(await page.locator('.plane.tone-ok', { hasText: plane }).count(), 1, `${plane} is as well as before`);
    }
    await page.goto(`${base}/tenants`);
    await page.getByRole('row', { name: /^demo http/ }).getByText('Does not answer').waitFor();
  }));
