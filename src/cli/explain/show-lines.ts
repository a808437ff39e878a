import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { pagerEnvironment, terminalEnvironment } from '../../config.ts';
import type { Terminal } from './terminal-text.ts';

/** Narrower ones cannot show code, and wider lines are hard to read. */
const columns = { least: 20, most: 100, usual: 80 };

/** The terminal that standard output is, or what its reader is taken to have. */
export function describeTerminal(output: NodeJS.WriteStream): Terminal {
  const { wantsNoColours, columns: told, locale } = terminalEnvironment();
  const wanted = (output.isTTY && output.columns) || told || columns.usual;
  return {
    columns: Math.min(columns.most, Math.max(columns.least, wanted)),
    hasColours: output.isTTY === true && !wantsNoColours,
    isUnicode: locale === '' || /utf-?8/i.test(locale),
  };
}

/** A reader that has seen enough, such as head, ends this process without a complaint. */
export function endWithReader(output: NodeJS.WriteStream): void {
  output.on('error', (error: Error & { code?: string }) => {
    if (error.code === 'EPIPE') process.exit(0);
    throw error;
  });
}

/** Prints lines that are fit for the terminal, through a pager where they are more than it shows at once. */
export async function showLines(lines: string[], output: NodeJS.WriteStream): Promise<void> {
  const text = `${lines.join('\n')}\n`;
  const { pager } = terminalEnvironment();
  const fits = lines.length < (output.rows ?? 24);
  if (!output.isTTY || fits || ['', 'cat'].includes(pager.trim()) || !(await page(pager, text)))
    output.write(text);
}

/** False where there is no such pager. */
async function page(pager: string, text: string): Promise<boolean> {
  // The pager alone hears ctrl-C: it goes on until its reader quits, and puts the terminal right.
  const ignore = (): void => {};
  process.on('SIGINT', ignore);
  try {
    const child = spawn('sh', ['-c', pager], {
      stdio: ['pipe', 'inherit', 'inherit'],
      env: pagerEnvironment(),
    });
    // Whoever quits early leaves the rest unread.
    child.stdin.on('error', () => {});
    child.stdin.end(text);
    const [code] = await once(child, 'close');
    return code !== 126 && code !== 127;
  } catch {
    return false;
  } finally {
    process.off('SIGINT', ignore);
  }
}
