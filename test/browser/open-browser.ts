import assert from 'node:assert/strict';
import { after } from 'node:test';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core';
import type { TestApp } from '../build-app.ts';
import { findBrowser } from './find-browser.ts';

const parameters = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Events that must not happen on a page. */
interface Incidents {
  /** Violations of the page's content security policy, failed scripts, and dialogs. */
  told: string[];
  /** Requests to other origins than the service's. */
  foreign: string[];
}

/** A browser that is closed when the tests end. */
export async function openBrowser(): Promise<Browser> {
  const executablePath = findBrowser();
  if (!executablePath) throw new Error('There is no browser: npm run browser:install gets one.');
  const browser = await chromium.launch({ executablePath, args: parameters });
  after(() => browser.close());
  return browser;
}

/** Records events that must not happen on any page of a visit. */
function watchIncidents(context: BrowserContext, origin: string): Incidents {
  const incidents: Incidents = { told: [], foreign: [] };
  context.on('page', (page: Page) => {
    page.on('pageerror', (error) => incidents.told.push(error.message));
    page.on('console', (message) => {
      if (/Content Security Policy|Trusted/i.test(message.text())) incidents.told.push(message.text());
    });
    page.on('dialog', (dialog) => {
      incidents.told.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
  });
  context.on('request', (request) => {
    const url = new URL(request.url());
    if (url.origin !== origin && url.protocol !== 'data:') incidents.foreign.push(request.url());
  });
  return incidents;
}

interface VisitOptions extends BrowserContextOptions {
  /** A token whose user is signed up in English and signed in. */
  token?: string;
}

/** A browser context of its own; closing it fails if its pages did anything that they must not. */
export async function visit(browser: Browser, app: TestApp, { token, ...options }: VisitOptions = {}) {
  const context = await browser.newContext({ baseURL: app.url, locale: 'en-US', ...options });
  context.setDefaultTimeout(30_000);
  const incidents = watchIncidents(context, app.url);
  if (token !== undefined) {
    await app.call('POST', '/auth/signup', { token, body: { language: 'en' } });
    const { accessToken } = (await app.call('POST', '/auth/session', { token })).body.data;
    await context.addCookies([{ name: 'pullquote_session', value: accessToken, url: app.url }]);
  }
  const page = await context.newPage();
  const close = async () => {
    assert.deepEqual(incidents, { told: [], foreign: [] });
    await context.close();
  };
  return { context, page, close };
}
