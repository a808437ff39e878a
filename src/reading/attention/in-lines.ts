import type { AttentionReason } from '../../domain/attention-reasons.ts';
import type { Category } from '../../domain/change-types.ts';
import { detachText } from '../detach-text.ts';
import { evidenceOf } from '../edits/changed-runs.ts';
import { isCommentLine } from '../edits/comments.ts';
import { isImportLine } from '../edits/import-line.ts';
import type { AttentionPoint, FileKind } from '../facts.ts';
import type { HunkLine, HunkLines } from '../hunk-lines.ts';
import type { WholeDiff } from '../whole-diff.ts';
import { evidencePerPoint, subjectsPerPoint } from './merge.ts';

interface LineRule {
  category: Category;
  reason: AttentionReason;
  /** What a changed line has to say. */
  pattern: RegExp;
  /** In which files; in any, unless told otherwise. */
  paths?: RegExp;
}

const lineRules: LineRule[] = [
  {
    category: 'SECURITY',
    reason: 'authenticationTouched',
    pattern:
      /\b(?:authenti|authoriz|autoris|permission|passwo?r?d|credential|oauth|csrf|jwt|session_?token|access_?token|api_?key|login|signIn|sign_in)\w*/gi,
  },
  {
    category: 'SECURITY',
    reason: 'cryptographyTouched',
    pattern:
      /\b(?:hmac|sha-?(?:1|256|512)|md5|aes|rsa|ed25519|cipher|encrypt|decrypt|timingSafeEqual|constant_?time|compare_digest|bcrypt|argon2|scrypt|createHash|x509|tls)\w*/gi,
  },
  // Elsewhere these run no text: in R they take an expression, and of a closure they are an ordinary name.
  {
    category: 'SECURITY',
    reason: 'dangerousCall',
    paths: /\.(?:[cm]?[jt]sx?|vue|svelte|py|php|rb)$/i,
    pattern: /(?<![.\w]|\b(?:def|function)\s{1,4})(?:eval|exec)\b\s*\((?!\s*\))/g,
  },
  {
    category: 'SECURITY',
    reason: 'dangerousCall',
    pattern:
      /\b(?:execSync|innerHTML|dangerouslySetInnerHTML|pickle\.loads?|yaml\.load(?!.*Safe)|os\.system|shell=True)\b\s*[({=]/g,
  },
  {
    category: 'TECH',
    reason: 'concurrency',
    pattern:
      /\b(?:mutex|rwlock|semaphore|deadlock|Promise\.(?:all|race|any|allSettled)|sync\.(?:Mutex|RWMutex|WaitGroup|Once)|go func|tokio::spawn|thread::spawn|threading\.|asyncio\.|synchronized|AtomicBool|AtomicU\w+|atomic\.|SharedArrayBuffer|worker_threads)\b/gi,
  },
  {
    category: 'PERF',
    reason: 'performanceSensitive',
    pattern:
      /\b(?:cache|cached|memoi[sz]e|useMemo|debounce|throttle|batch|preload|prefetch|lazy|pool)\w*|\bCREATE INDEX\b/gi,
  },
];

const migrationPath = /(?:^|\/)(?:migrations?|db\/migrate|alembic\/versions|prisma\/migrations)\/|\.sql$/i;
const schemaChange =
  /\b(?:CREATE|ALTER|DROP)\s+(?:TABLE|INDEX|UNIQUE|COLUMN|TYPE|VIEW)\b|\b(?:add_column|create_table|drop_table|addColumn|createTable|dropTable)\b/gi;
const localePath = /(?:^|\/)(?:locales?|i18n|lang|translations?)\/|\.po$/i;
const visibleText =
  /<(?:button|label|h[1-6]|p|title|option|a)\b[^>]{0,200}>[^<{]{3,}|\b(?:placeholder|aria-label|title|alt|tooltip|label)=["'][^"']{3,}/g;
const page = /\.(?:html?|vue|svelte|astro|tsx|jsx|erb|hbs|ejs|jinja2?|twig|blade\.php)$/i;

/** What in a file deserves attention for what its changed lines say. */
export function attentionInLines(
  path: string,
  kind: FileKind,
  hunks: HunkLines[],
  whole: WholeDiff,
): AttentionPoint[] {
  if (kind !== 'source' && kind !== 'configuration') return [];
  // A comment that mentions a lock does not take one, nor does an import, and a line that moved is no news.
  const changed = hunks
    .flatMap(({ all }) => all)
    .filter(
      (line) =>
        line.isChanged &&
        line.text !== '' &&
        line.text.length <= 500 &&
        !isCommentLine(line) &&
        !isImportLine(line.text) &&
        !whole.standsOnBoth(line.text),
    );
  // Nor does a text of several lines do what it speaks of.
  const code = changed.filter(({ hidden }) => hidden === 'code');
  const rules = lineRules.filter(({ paths }) => paths === undefined || paths.test(path));
  const points = rules.map(({ category, reason, pattern }) =>
    pointOf(path, category, reason, code, (text) => text.match(pattern) ?? []),
  );
  if (migrationPath.test(path)) {
    points.push(pointOf(path, 'RISK', 'schemaMigration', changed, (text) => text.match(schemaChange) ?? []));
  }
  const isLocale = localePath.test(path);
  if (isLocale || page.test(path)) {
    points.push(
      pointOf(path, 'UX', 'userVisibleText', changed, (text) =>
        isLocale ? [text] : (text.match(visibleText) ?? []),
      ),
    );
  }
  return points.filter((point) => point !== null);
}

/** Subjects that stand on both sides are no news, whatever else changed on their lines. */
function pointOf(
  path: string,
  category: Category,
  reason: AttentionReason,
  lines: HunkLine[],
  find: (text: string) => string[],
): AttentionPoint | null {
  const sides = { old: new Map<string, HunkLine[]>(), new: new Map<string, HunkLine[]>() };
  for (const line of lines) {
    const side = sides[line.newLine === null ? 'old' : 'new'];
    for (const found of find(line.text)) {
      const subject = found.trim().slice(0, 80);
      const known = side.get(subject);
      if (known) known.push(line);
      else side.set(subject, [line]);
    }
  }
  const balance = new Map<string, number>();
  for (const [side, step] of [
    [sides.new, 1],
    [sides.old, -1],
  ] as const)
    for (const [subject, some] of side) {
      const key = subject.toLowerCase();
      balance.set(key, (balance.get(key) ?? 0) + step * some.length);
    }
  const found = [...sides.new, ...sides.old].filter(
    ([subject]) =>
      sides.old.get(subject)?.length !== sides.new.get(subject)?.length &&
      // The same word may be written small in one place and large in another.
      balance.get(subject.toLowerCase()) !== 0,
  );
  if (found.length === 0) return null;
  const subjects = new Set(found.map(([subject]) => detachText(subject)));
  return {
    category,
    reason,
    subjects: [...subjects].slice(0, subjectsPerPoint),
    transitions: [],
    evidence: found
      .flatMap(([, some]) => some)
      .slice(0, evidencePerPoint)
      .map((line) => evidenceOf(path, [line])),
  };
}
