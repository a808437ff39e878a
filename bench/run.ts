import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

// Runs a benchmark on a Node that can run it: npm run bench NAME [-- PARAMETER …]

const folder = import.meta.dirname;

function firstComment(file: string): string[] {
  const lines = readFileSync(join(folder, file), 'utf8').split('\n');
  const first = lines.findIndex((line) => line.startsWith('// '));
  const block = lines.slice(first, first + lines.slice(first).findIndex((line) => !line.startsWith('//')));
  return block.map((line) => line.slice(3));
}

/** The first comment of a benchmark, which only files that can be run have. */
function describe(file: string): { about: string; usage: string } | null {
  const text = firstComment(file).join(' ');
  const usage = /\b(?:Usage: |[Rr]un with )node bench\/(.+?\.ts[^.;]*)/.exec(text)?.[1];
  return usage
    ? { about: (text.split(/[.:]\s/)[0] ?? '').replace(/\.$/, ''), usage: usage.replace('.ts', '').trim() }
    : null;
}

function list(): string {
  const all = readdirSync(folder).flatMap((file) => {
    const described = file.endsWith('.ts') && describe(file);
    return described ? [`  ${described.usage}\n      ${described.about}`] : [];
  });
  return ['Usage: npm run bench NAME [-- PARAMETER …]', '', ...all].join('\n');
}

const [name, ...parameters] = process.argv.slice(2);
const path = name && /^[\w-]+$/.test(name) ? join(folder, `${name}.ts`) : null;
if (!path || !existsSync(path)) {
  process.stdout.write(`${name ? `There is no benchmark ${name}.\n\n` : ''}${list()}\n`);
  process.exitCode = name ? 2 : 0;
} else if (parameters.includes('--help') || parameters.includes('-h')) {
  process.stdout.write(`${firstComment(`${name}.ts`).join('\n')}\n`);
} else {
  const child = spawn(process.execPath, [path, ...parameters], { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
  child.on('exit', (code) => {
    process.exitCode = code ?? 1;
  });
}
