import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diffOf } from '../../../test/diff-of.ts';
import { sourceOf } from '../../../test/source-of.ts';
import type { FileDiff } from '../../reading/file-diff.ts';
import { english } from './english.ts';
import { leadsOf, riskFactsOf, type ShownFact } from './lead.ts';
import { sayFact } from './phrases.ts';

type Known = Omit<Parameters<typeof sourceOf>[0], 'diff'>;

const said = (fact: ShownFact): string =>
  sayFact(english, fact, fact.quotation ? `: “${fact.quotation.text}”` : '');

const leadOfDiff = (diff: FileDiff[], known: Known = {}): string | null => {
  const [fact] = leadsOf(sourceOf({ ...known, diff }));
  if (!fact) return null;
  return fact.kind === 'changelog'
    ? `changelog: ${fact.entries.map(({ text }) => text).join(' | ')}`
    : said(fact);
};
const risksOfDiff = (diff: FileDiff[], known: Known = {}): string[] =>
  riskFactsOf(sourceOf({ ...known, diff })).map((risk) =>
    risk.kind === 'breaking' ? `${risk.label}: “${risk.quotation.text}”` : `${risk.label}: ${said(risk)}`,
  );

const go = (path: string, body: string): FileDiff => diffOf(path, ` package queue\n${body}`);
const edit = go('queue.go', '-var a = 1\n+var a = 2');
const changelog = (...entries: string[]): FileDiff =>
  diffOf('CHANGELOG.md', ` # Next\n${entries.map((entry) => `+- ${entry}`).join('\n')}`);

test('a lead names the first certain fact: changelog, public name, signature, default or option, or there is none', () => {
  const added = go('queue.go', '+// Take takes the next job of all.\n+func Take() int {\n+\treturn 1\n+}');
  const table: [lead: string | null, diff: FileDiff[], known?: Known][] = [
    [
      'changelog: Jobs are never lost when it stops',
      [edit, changelog('Jobs are never lost when it stops (#12)')],
    ],
    [
      null,
      [
        edit,
        changelog('Never lose a job', 'Never lose any lock', 'Never lose any key', 'Never lose any row'),
      ],
    ],
    [null, [changelog('Jobs are never lost when it stops')]],
    [null, [edit, changelog('Keeps jobs in order')]],
    ['New function `Take`: “Take takes the next job of all.”', [added]],
    [null, [go('queue.go', '+func take() int {\n+\treturn 1\n+}')]],
    [null, [go('internal/queue.go', '+func Take() int {\n+\treturn 1\n+}')]],
    ['Removed function `Take`', [go('queue.go', '-func Take() int {\n-\treturn 1\n-}')]],
    [null, [go('queue.go', '-func Take() int {\n-\treturn 1\n-}\n+var Take = other.Take')]],
    [
      'Renamed `Take` to `Fetch`',
      [
        go(
          'queue.go',
          '-func Take(job int) int {\n+func Fetch(job int) int {\n \tlock(job)\n \tdefer free(job)\n \treturn run(job)\n }',
        ),
      ],
    ],
    [
      '`Take` is deprecated: “Use Fetch instead.”',
      [
        go(
          'queue.go',
          ' // Take takes a job.\n+//\n+// Deprecated: Use Fetch instead.\n func Take() int {\n \treturn 1\n }',
        ),
      ],
    ],
    [
      null,
      [
        go(
          'queue.go',
          ' // take takes a job.\n+// Deprecated: Use Fetch instead.\n func take() int {\n \treturn 1\n }',
        ),
      ],
    ],
    [
      'Parameter `wait` removed from `Take`',
      [
        go(
          'queue.go',
          '-func Take(job int, wait bool) int {\n+func Take(job int) int {\n \treturn run(job)\n }',
        ),
      ],
    ],
    [
      'Default of `limit` in `take`: `1` → `2`',
      [
        diffOf(
          'src/Queue.kt',
          '-fun take(limit: Int = 1): Int {\n+fun take(limit: Int = 2): Int {\n     return run(limit)\n }',
        ),
      ],
    ],
    [
      '`Converter.to` takes `byte[]` instead of `HttpEntity`',
      [
        diffOf(
          'src/Converter.java',
          ' public interface Converter {\n-  Object to(HttpEntity entity);\n+  Object to(byte[] body);\n }',
        ),
      ],
    ],
    [
      'New option `--fast`: “Go as fast as the road allows.”',
      [
        diffOf(
          'src/cli.py',
          ' def main():\n+    parser.add_argument("--fast", help="Go as fast as the road allows.")',
        ),
      ],
    ],
    [
      null,
      [
        diffOf(
          'src/cli.py',
          ' def main(fast=False):\n+    parser.add_argument("--fast", help="Go as fast as the road allows.")',
        ),
      ],
    ],
    [
      null,
      [diffOf('src/cli.py', ' def main():\n+    parser.add_argument("--version", help="Say the version.")')],
    ],
    [null, [diffOf('src/queue.py', '-def _take(limit=1):\n+def _take(limit=2):\n     return run(limit)')]],
    [null, [edit]],
  ];
  for (const [lead, diff, known] of table)
    assert.equal(leadOfDiff(diff, known), lead, diff[0]?.bytes.toString());
});

test('among several new names the one in the title comes first, and different kinds of names give no lead', () => {
  const several = go(
    'queue.go',
    '+// Take takes the next job of all.\n+func Take() int {\n+\treturn 1\n+}\n+\n+// Fetch takes any job.\n+func Fetch() int {\n+\treturn 2\n+}',
  );
  assert.equal(leadOfDiff([several]), 'New functions `Take`, `Fetch`');
  assert.equal(
    leadOfDiff([several], { title: 'Add Fetch' }),
    'New function `Fetch`: “Fetch takes any job.”; also `Take`',
  );
  const typed = go(
    'queue.go',
    '+func Take() int {\n+\treturn 1\n+}\n+\n+type Waiting struct {\n+\ta int\n+}',
  );
  assert.equal(leadOfDiff([typed]), null);
});

test('risks are breaking changes, changed defaults, added write permissions and skipped tests', () => {
  const signature = (old: string, now: string): FileDiff[] => [
    go('queue.go', `-func ${old} {\n+func ${now} {\n \treturn run(job)\n }`),
  ];
  const table: [risks: string[], diff: FileDiff[], known?: Known][] = [
    [
      ['breaking: Removes public names, for example `Take`, `Wait`, `Stop`'],
      [go('queue.go', ['Take', 'Wait', 'Stop', 'Hold'].map((name) => `-func ${name}() {\n-}`).join('\n'))],
    ],
    [['breaking: Removed function `Take`'], [go('queue.go', '-func Take() int {\n-\treturn 1\n-}')]],
    [[], [go('queue.go', '-func take() int {\n-\treturn 1\n-}')]],
    [
      ['breaking: Renamed `Take` to `Fetch`'],
      [
        go(
          'queue.go',
          '-func Take(job int) int {\n+func Fetch(job int) int {\n \tlock(job)\n \tdefer free(job)\n \treturn run(job)\n }',
        ),
      ],
    ],
    [
      ['breaking: Required parameter `wait` added to `Take`'],
      signature('Take(job int) int', 'Take(job int, wait bool) int'),
    ],
    [
      ['breaking: `Take` returns `string` instead of `int`'],
      signature('Take(job int) int', 'Take(job int) string'),
    ],
    [[], signature('Take(job int) interface{}', 'Take(job int) any')],
    [
      [],
      [
        diffOf(
          'src/queue.ts',
          '-export function take(job: Job) {\n+export function take(job: Job, wait?: boolean) {\n   return run(job);\n }',
        ),
      ],
    ],
    [
      [],
      [
        diffOf(
          'src/Queue.kt',
          '-fun take(job: Job): Int {\n+fun take(job: Job, wait: Boolean = false): Int {\n     return run(job)\n }',
        ),
      ],
    ],
    [[], [diffOf('src/queue.py', '-def take(job):\n+def take(job, wait=False):\n     return run(job)')]],
    [
      ['default: Default of `limit` in `take`: `1` → `2`'],
      [
        diffOf(
          'src/Queue.kt',
          '-fun take(limit: Int = 1): Int {\n+fun take(limit: Int = 2): Int {\n     return run(limit)\n }',
        ),
      ],
    ],
    [['breaking: “Jobs need a name.”'], [edit], { body: 'A change.\n\nBREAKING CHANGE: Jobs need a name.' }],
    [[], [edit], { body: 'A change.\n\nBREAKING CHANGE: none in this release' }],
    [['breaking: “keep jobs in order”'], [edit], { title: 'feat!: keep jobs in order' }],
    [
      ['permission: Workflow permission added: `contents: write`'],
      [diffOf('.github/workflows/ci.yml', ' permissions:\n+  contents: write\n   issues: read')],
    ],
    [[], [diffOf('.github/workflows/ci.yml', ' permissions:\n+  contents: read\n   issues: read')]],
    [
      ['skippedTest: Tests newly use `t.Skip`'],
      [diffOf('queue_test.go', ' func TestTakes(t *testing.T) {\n+\tt.Skip("slow")\n \ttake()\n }')],
    ],
    [[], [diffOf('queue_test.go', ' func TestTakes(t *testing.T) {\n+\tt.Log("slow")\n \ttake()\n }')]],
  ];
  for (const [risks, diff, known] of table)
    assert.deepEqual(risksOfDiff(diff, known), risks, diff[0]?.bytes.toString());
});
