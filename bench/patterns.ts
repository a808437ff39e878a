import { globSync, readFileSync } from 'node:fs';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

// Tries every pattern in src on repetitive texts, and prints those that take more than twice as long for twice the
// text: they search for the end of a run from each of its places, or try all ways of dividing it. Some of these are
// used on short texts only and may stay. It needs a quiet machine for a few minutes.
// Usage: node bench/patterns.ts [WORD],
// where only files with the word in their path count.

interface Pattern {
  place: string;
  source: string;
  flags: string;
}

interface Finding extends Pattern {
  repeated: string;
  behind: string;
  ms: number;
  growth: number;
}

type Message = { began: number } | { finding: Finding } | { isDone: true };

const [wanted = ''] = process.argv.slice(2);
const shortLength = 1_500;
const mostGrowth = 2.8;
/** Patterns that are faster than this on the short text are skipped. */
const leastMs = 0.2;
/** A pattern that has not ended by then hardly ever would. */
const patienceMs = 12_000;

const signs = [...' \t\n\raA1_$.,;:!?()[]{}<>"\'`#*+-/\\=&|@~^%あ。…'];
const runs = [
  'a.b',
  'a::',
  'a, ',
  'a = ',
  '(a)',
  '[a](b)',
  '"a" ',
  '<a ',
  '- a ',
  'a_b ',
  '// a ',
  '#1 ',
  '1.1.',
  '=>',
  '()',
  '[]',
];
const repeatable = [
  ...signs,
  ...signs.map((sign) => `a${sign}`),
  ...runs,
  '{}',
  '""',
  "''",
  '&a;',
  'https://a.b/',
  '\n\n',
  ' \n',
];

/** A regular expression begins where a value may, and ends on its line. */
const literal =
  /(?<=(?:^|[=(,:[!&|?{};>]|return)\s*)\/(?![*/\s])(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.){0,400}\]){1,2000}\/[dgimsuvy]*(?![\w/])/gm;

/** Slashes within a string, such as of a pattern in a schema, look like a pattern too. */
function isPattern({ source, flags }: Omit<Pattern, 'place'>): boolean {
  try {
    return Boolean(new RegExp(source, flags));
  } catch {
    return false;
  }
}

function findPatterns(): Pattern[] {
  const files = globSync('src/**/*.ts').filter((file) => !file.endsWith('.test.ts') && file.includes(wanted));
  return files.sort().flatMap((file) => {
    const text = readFileSync(file, 'utf8');
    return Array.from(text.matchAll(literal)).flatMap(({ 0: found, index }): Pattern[] => {
      const end = found.lastIndexOf('/');
      const line = text.slice(0, index).split('\n').length;
      // Sticky patterns begin at a given index.
      const pattern = { source: found.slice(1, end), flags: found.slice(end + 1).replace('y', '') };
      return isPattern(pattern) ? [{ place: `${file}:${line}`, ...pattern }] : [];
    });
  });
}

function timeOf(pattern: RegExp, text: string): number {
  const begun = performance.now();
  text.replace(pattern, '');
  return performance.now() - begun;
}

const leastOf = (pattern: RegExp, text: string, times: number): number =>
  Math.min(...Array.from({ length: times }, () => timeOf(pattern, text)));

/** The literal beginning of a pattern, with which texts must begin to keep it busy. */
const wordsIn = (source: string): string[] => {
  const plain = source.replace(/\\[sSwWdDbBpP]|\[[^\]]*\]|\(\?[:=!<]*/g, '\0');
  const words = (plain.match(/[A-Za-z#@"'`<\\.*/:=[({ -]{2,}/g) ?? []).map((word) =>
    word.replaceAll('\\', ''),
  );
  return [...new Set(words)].slice(0, 3);
};

function worstOf(pattern: Pattern): Finding | null {
  const compiled = new RegExp(pattern.source, pattern.flags);
  let worst: Finding | null = null;
  for (const repeated of repeatable) {
    for (const behind of ['', 'a', ...wordsIn(pattern.source)]) {
      const textOf = (length: number) => `${behind}${repeated.repeat(length / repeated.length)}x\u0001`;
      const text = textOf(shortLength);
      if (timeOf(compiled, text) < leastMs) continue;
      const before = leastOf(compiled, text, 3);
      const ms = leastOf(compiled, textOf(2 * shortLength), 2);
      const growth = ms / before;
      if (before >= leastMs && growth > mostGrowth && ms > (worst?.ms ?? 0))
        worst = { ...pattern, repeated, behind, ms, growth };
    }
  }
  return worst;
}

function print({ place, source, flags, repeated, behind, ms, growth }: Finding): void {
  const pattern = source.length > 100 ? `${source.slice(0, 100)}…` : source;
  const text = `${JSON.stringify(behind)} and ${JSON.stringify(repeated)} repeated`;
  console.log(`${place} | ×${growth.toFixed(1)} | ${ms.toFixed(1)} ms | ${text} | /${pattern}/${flags}`);
}

/**
 * Tests patterns from an index on in a thread that can be terminated; returns where to continue, or null at the end.
 */
function lookFrom(
  patterns: Pattern[],
  from: number,
  onFinding: (finding: Finding) => void,
): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL(import.meta.url), { workerData: { patterns, from } });
    let at = from;
    let timer: NodeJS.Timeout | undefined;
    const giveUp = async () => {
      await worker.terminate();
      const pattern = patterns[at];
      if (pattern)
        onFinding({
          ...pattern,
          repeated: '?',
          behind: '',
          ms: patienceMs,
          growth: Number.POSITIVE_INFINITY,
        });
      resolve(at + 1);
    };
    worker.on('error', reject);
    worker.on('message', (message: Message) => {
      if ('finding' in message) return onFinding(message.finding);
      clearTimeout(timer);
      if ('isDone' in message) return resolve(null);
      at = message.began;
      timer = setTimeout(giveUp, patienceMs);
    });
  });
}

async function main(): Promise<void> {
  const patterns = await findPatterns();
  let found = 0;
  const onFinding = (finding: Finding): void => {
    found += 1;
    print(finding);
  };
  let from: number | null = 0;
  while (from !== null && from < patterns.length) from = await lookFrom(patterns, from, onFinding);
  console.log(
    `${patterns.length} patterns, ${found} of them grow by more than ${mostGrowth} for twice the text`,
  );
}

function look({ patterns, from }: { patterns: Pattern[]; from: number }): void {
  const tell = (message: Message): void => parentPort?.postMessage(message);
  for (const [index, pattern] of patterns.slice(from).entries()) {
    tell({ began: from + index });
    const finding = worstOf(pattern);
    if (finding) tell({ finding });
  }
  tell({ isDone: true });
}

if (isMainThread) await main();
else look(workerData);
