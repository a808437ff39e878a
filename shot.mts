import { chromium } from 'playwright-core';
const [base, list] = [process.argv[2], JSON.parse(process.argv[3])];
const browser = await chromium.launch({ executablePath: '/usr/lib/chromium/chromium-headless-shell', args: ['--no-sandbox','--disable-gpu','--disable-background-networking','--disable-component-update','--disable-sync'] });
for (const { name, path, width=1280, height=900, dark=false, lang='en', full=false, open=false, scroll=0, cookie } of list) {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: dark ? 'dark' : 'light', locale: lang, deviceScaleFactor: width < 500 ? 2 : 1 });
  if (cookie) await context.addCookies([{ name: 'pullquote_session', value: cookie, url: base }]);
  const page = await context.newPage();
  const problems = [];
  page.on('console', (m) => problems.push(m.text()));
  page.on('pageerror', (e) => problems.push(String(e)));
  const r = await page.goto(base + path, { waitUntil: 'networkidle' });
  await page.evaluate(() => document.fonts.ready);
  if (open) await page.evaluate((n) => { [...document.querySelectorAll('.evidence details')].slice(0, n).forEach((d) => { d.open = true; }); }, open === true ? 99 : open);
  if (scroll) await page.evaluate((s) => typeof s === 'string' ? document.querySelector(s).scrollIntoView() : scrollTo(0, s), scroll);
  await page.waitForTimeout(100);
  await page.screenshot({ path: `/tmp/shots/${name}.png`, fullPage: full });
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  console.log(name, r.status(), wide ? `OVERFLOWS by ${wide}` : 'ok', (await page.content()).length, problems.join(' | '));
  await context.close();
}
await browser.close();
