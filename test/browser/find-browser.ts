import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** The browser itself: what Debian puts before it on the path would stay behind when it is ended. */
const fromDebian = '/usr/lib/chromium/chromium-headless-shell';

/** Where a browser is, or null where there is none; CHROME_PATH names another. */
export function findBrowser(): string | null {
  const path = process.env.CHROME_PATH ?? fromDebian;
  return existsSync(path) ? path : null;
}

/** Has Debian bring a browser, and a font for Japanese; throws with a sentence where it cannot. */
export function installBrowser(): void {
  const packages = ['chromium-headless-shell', 'fonts-ipafont-gothic'];
  const asRoot = process.getuid?.() === 0 ? [] : ['sudo'];
  for (const parameters of [
    ['update', '-qq'],
    ['install', '-y', '-qq', '--no-install-recommends', ...packages],
  ]) {
    const [program = '', ...rest] = [...asRoot, 'apt-get', ...parameters];
    const { status } = spawnSync(program, rest, { stdio: ['ignore', 'ignore', 'inherit'] });
    if (status !== 0)
      throw new Error(
        'The browser cannot be installed with apt-get. Install Chromium yourself and name it with CHROME_PATH.',
      );
  }
}
