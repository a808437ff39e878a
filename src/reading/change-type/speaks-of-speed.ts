import type { PullRequestText } from '../facts.ts';
import type { KindedFile } from './shape-features.ts';
import { saidIn } from './text-features.ts';

const words = [
  'perf(?:ormance|ormant)?|speed(?:s|y|ier|ing|-?ups?)?|fast(?:er|est|path)?|quick(?:er|ly)?',
  'slow(?:s|er|ing|ness)?|optimi[sz]\\w*|bench(?:es|mark\\w*)?|(?:un|pre)?cach(?:e[sd]?|ing)|memoi[sz]\\w*',
  'latency|latencies|throughput|overhead|footprint|contention|memory(?! limit)|(?:de)?alloc(?:s|at\\w*)?',
  '(?:in)?efficien\\w+|expensive|cheap(?:er|ly)?|lazy|lazily|hot[ -]?(?:path|loop)s?|O\\([^)]{1,12}\\)',
];

const speed = new RegExp(`(?<![A-Za-z])(?:${words.join('|')})(?![a-z])|\\d ?(?:ms|µs|ns)\\b`, 'i');

/** Whether anybody says a word of time or memory, be it in the name of a file: otherwise nothing was done for speed. */
export const speaksOfSpeed = (text: PullRequestText, files: KindedFile[]): boolean =>
  [text.title, saidIn(text.body ?? ''), ...text.commitMessages].some((said) => speed.test(said)) ||
  files.some(({ file }) => speed.test(file.path));
