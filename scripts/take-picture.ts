import { rmSync, statSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findBrowser } from '../test/browser/find-browser.ts';
import { openBrowser } from '../test/browser/open-browser.ts';
import { startService } from '../test/start-service.ts';
import { waitUntil } from '../test/wait-until.ts';

// Takes the picture of an article in the README: npm run picture. Starts a service with the samples.

const target = fileURLToPath(new URL('../docs/pictures/article.png', import.meta.url));
const article = '/r/harborline/parcel/13?language=en';
const mostBytes = 150_000;

async function takePicture(): Promise<void> {
  if (!findBrowser()) throw new Error('There is no browser: npm run browser:install gets one.');
  const folder = await mkdtemp(join(tmpdir(), 'pullquote-picture-'));
  const service = await startService({
    environment: { PULLQUOTE_DATA: join(folder, 'data') },
    asNewcomer: true,
  });
  const browser = await openBrowser();
  try {
    const address = new URL(article, service.url).href;
    await waitUntil('the article is written', async () => (await fetch(address)).ok);
    const page = await browser.newPage({
      viewport: { width: 1280, height: 840 },
      deviceScaleFactor: 1.25,
      colorScheme: 'light',
    });
    await page.goto(address, { waitUntil: 'networkidle' });
    await page.screenshot({ path: target });
  } finally {
    await browser.close();
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  }
  const { size } = statSync(target);
  console.log(`${target}: ${size} bytes`);
  if (size > mostBytes) throw new Error(`The picture is larger than ${mostBytes} bytes.`);
}

takePicture().catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 1;
});
