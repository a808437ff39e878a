import { parseArgs } from 'node:util';
import { parseDiff } from '../src/reading/parse-diff.ts';
import { numbersFrom } from '../test/chance.ts';
import { readFacts } from '../test/read-facts.ts';
import { type Claim, claimsOf } from './known-edits/claims.ts';
import { type Judgement, judge } from './known-edits/judge.ts';
import { editKinds, type KnownEdit, type World } from './known-edits/known-edit.ts';
import { editedLanguages } from './known-edits/languages.ts';
import { makeEdit, openFile, pick, type SourceFile, shapeEditors } from './known-edits/make-edits.ts';
import { wordEditors } from './known-edits/make-word-edits.ts';
import { isManifest, moveDependencies } from './known-edits/move-dependencies.ts';
import { printDiffs } from './known-edits/print-diffs.ts';
import { runGit } from './mirrors.ts';

// Edits real files by a program that knows what it did, and compares what is read of the diffs with that.
const usage =
  'Usage: node bench/known-edits.ts [--each 30] [--seed 1] [--show KIND|wrong] [--shown 5] [--language NAME] MIRROR …';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    each: { type: 'string', default: '30' },
    seed: { type: 'string', default: '1' },
    show: { type: 'string' },
    shown: { type: 'string', default: '5' },
    language: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help || positionals.length === 0) {
  console.log(usage);
  process.exit(values.help ? 0 : 2);
}

const [smallest, largest] = [2_000, 60_000];
const random = numbersFrom(Number(values.seed));
const each = Number(values.each);

interface Repository {
  files: SourceFile[];
  manifests: World;
}

function openMirror(mirror: string): Repository {
  const listed = runGit(mirror, ['ls-tree', '-r', '-l', '-z', 'HEAD']).toString().split('\0');
  const files: SourceFile[] = [];
  const manifests: World = new Map();
  for (const entry of listed) {
    const [, size = '0', path = ''] = /^\S+ blob \S+\s+(\d+)\t(.*)$/s.exec(entry) ?? [];
    if (isManifest(path)) manifests.set(path, runGit(mirror, ['show', `HEAD:${path}`]).toString());
    const language = editedLanguages.find(({ endings }) => endings.some((ending) => path.endsWith(ending)));
    if (
      !language ||
      Number(size) < smallest ||
      Number(size) > largest ||
      /fixture|testdata|syntax-tests|vendor|gtest/.test(path)
    )
      continue;
    const file = openFile(path, runGit(mirror, ['show', `HEAD:${path}`]).toString(), language);
    if (file.functions.length > 1 && !file.lines.some((line) => line.endsWith('\r'))) files.push(file);
  }
  return { files, manifests };
}

function makeEdits(repositories: Repository[]): KnownEdit[] {
  const edits: KnownEdit[] = [];
  let serial = 100;
  for (const kind of editKinds) {
    const editor = shapeEditors[kind] ?? wordEditors[kind];
    if (!editor) continue;
    for (const language of editedLanguages) {
      if (values.language !== undefined && language.name !== values.language) continue;
      const own = repositories
        .map(({ files }) => files.filter((file) => file.language === language))
        .filter((files) => files.length > 1);
      let made = 0;
      for (let tries = 0; tries < each * 20 && made < each && own.length > 0; tries++) {
        const files = own[tries % own.length] ?? [];
        const file = pick(files, random);
        if (!file) continue;
        const edit = makeEdit(kind, editor, {
          file,
          others: files.filter((other) => other !== file),
          random,
          serial: serial++,
        });
        if (!edit) continue;
        edits.push(edit);
        made++;
      }
    }
  }
  for (const { manifests } of repositories) edits.push(...moveDependencies(manifests, each * 2, random));
  return edits;
}

interface Judged {
  edit: KnownEdit;
  diff: Buffer;
  claims: Claim[];
  judgement: Judgement;
}

async function judgeEdits(edits: KnownEdit[]): Promise<Judged[]> {
  const judged: Judged[] = [];
  const diffs = printDiffs(edits);
  for (const [index, edit] of edits.entries()) {
    const bytes = diffs[index] ?? Buffer.alloc(0);
    const diff = parseDiff(bytes);
    const text = { repository: 'some/where', title: 'Edit', body: null, labels: [], commitMessages: [] };
    const facts = readFacts(text, diff);
    const claims = claimsOf(facts, diff);
    judged.push({ edit, diff: bytes, claims, judgement: judge(edit, claims) });
  }
  return judged;
}

function report(judged: Judged[], name: (one: Judged) => string): Record<string, object> {
  const rows: Record<string, object> = {};
  for (const [key, some] of Map.groupBy(judged, name)) {
    const wrong = some.filter(({ judgement }) => judgement.contradictions.length > 0).length;
    const told = some.filter(({ judgement }) => judgement.isTold).length;
    rows[key] = {
      edits: some.length,
      contradicted: wrong,
      'told %': Math.round((1000 * told) / some.length) / 10,
    };
  }
  return rows;
}

const judged = await judgeEdits(makeEdits(positionals.map(openMirror)));
const { show } = values;
if (show !== undefined) {
  const failing = judged.filter(
    ({ edit, judgement }) =>
      (show === 'wrong' || edit.kind === show) &&
      (judgement.contradictions.length > 0 || (show !== 'wrong' && !judgement.isTold)),
  );
  failing.sort((one, other) => other.judgement.contradictions.length - one.judgement.contradictions.length);
  for (const { edit, diff, claims, judgement } of failing.slice(0, Number(values.shown))) {
    console.log(`\n=== ${edit.kind}, ${edit.language}, told: ${judgement.isTold}`);
    console.log(diff.toString().slice(0, 3500));
    for (const claim of claims)
      console.log(judgement.contradictions.includes(claim) ? '  WRONG' : '  ', JSON.stringify(claim));
  }
}
console.log(
  `${judged.length} edits in ${new Set(judged.map(({ edit }) => edit.language)).size} languages, seed ${values.seed}`,
);
console.table(report(judged, ({ edit }) => edit.kind));
console.table(report(judged, ({ edit }) => edit.language));
