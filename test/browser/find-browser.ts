import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** The browser's own program: Debian's wrapper on the path would leave it running when it is ended. */
const fromDebian = '/usr/lib/chromium/chromium-headless-shell';

/** The path of a browser, or null if there is none; CHROME_PATH overrides it. */
export function findBrowser(): string | null {
  const path = process.env.CHROME_PATH ?? fromDebian;
  return existsSync(path) ? path : null;
}

/** Installs a browser and a Japanese font from Debian; throws a sentence if that fails. */
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
