import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { buildTestApp } from '../../test/build-app.ts';
import { makeDoors } from '../../test/doors/make-doors.ts';
import { git, makeClone } from '../../test/make-clone.ts';
import { questionIn, writeObligingly } from '../../test/model/obliging-writer.ts';
import { startScriptedModel } from '../../test/model/scripted-model.ts';
import type { Reply } from '../../test/model/wire.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { TerminalArticle } from '../cli/explain/terminal-article.ts';
import type { ArticleReply, SectionSentence } from '../writing/ai/reply-forms.ts';

const root = temporaryFolder();
const model = await startScriptedModel(writeObligingly);
makeDoors(root);
const app = await buildTestApp({
  environment: { GIT_REPOS: root, AI_MODEL: 'compatible/scripted', AI_BASE_URL: model.url },
});
const token = await app.signUp('ann');

/** Lines with sentences that the second reader does not approve. */
let mistrusted: RegExp | null = null;

function contradict({ text = '' }: Reply, material: string, wrong: RegExp): Reply {
  const { verdicts } = JSON.parse(text);
  const numbers = material.split('\n').flatMap((line) => (wrong.test(line) ? [/\d+/.exec(line)?.[0]] : []));
  assert.ok(numbers.length > 0, 'it was asked about');
  return {
    text: JSON.stringify({
      verdicts: verdicts.map((one: { n: number }) =>
        numbers.includes(`${one.n}`) ? { ...one, verdict: 'notShown' } : one,
      ),
    }),
  };
}

type Cite = (line: string, side?: '+' | '-') => string;

/** The label of the changed line that has this text. */
const citeIn =
  (material: string): Cite =>
  (text, side = '+') => {
    let file = '';
    for (const line of material.split('\n')) {
      file = /^(f\d+) /.exec(line)?.[1] ?? file;
      const number = /^(\d+)([+-])/.exec(line);
      if (number?.[2] === side && line.includes(text)) return `${file}${side}${number[1]}`;
    }
    throw new Error(`No line has ${text}`);
  };

const say = (refs: string[], quote: string, text: string, more: Partial<SectionSentence> = {}) => ({
  ...{ refs, quote, basis: 'diff' as const, label: 'none' as const, text },
  ...more,
});

/** Writes the article about the doors with scripted replies, again if it exists. */
async function write(reply: (cite: Cite) => Partial<ArticleReply>) {
  model.play((request) => {
    const { asked, material } = questionIn(request);
    if (asked === 'verdicts' && mistrusted) return contradict(writeObligingly(request), material, mistrusted);
    if (asked !== 'article') return writeObligingly(request);
    const told: ArticleReply = {
      background: [],
      sections: [],
      beforeAfter: [],
      rest: [],
      lead: { of: [], text: '' },
      title: { of: [], text: '' },
      ...reply(citeIn(material)),
    };
    return { text: JSON.stringify(told) };
  });
  const { status, body, text } = await app.call('POST', '/repos/acme/doors/pulls/2/article', {
    token,
    body: { language: 'en', regenerate: true },
  });
  assert.ok(status < 300, text);
  return body.data.contents.en;
}

const found = (cite: Cite): SectionSentence =>
  say([cite('nothingFound;')], 'nothingFound', 'Where no path fits, one gets `nothingFound`.');

test('a sentence that the model labels as a risk stays in its section, and the byline links to it', async () => {
  const breaks = 'The routes are now `Object.create(null)`.';
  const content = await write((cite) => ({
    sections: [
      {
        changeTypes: ['FIX'],
        sentences: [
          found(cite),
          say([cite('routes = Object')], 'routes = Object.create(null)', breaks, { label: 'breaking' }),
          say([cite('routes = Object')], '', 'Methods of objects end there.', {
            ...{ basis: 'judgement', label: 'migration' },
          }),
        ],
        show: '',
        heading: '',
      },
    ],
  }));
  const [section] = content.mainChanges;
  assert.deepEqual(
    content.notablePoints.map(({ label, section: of, point }: Record<string, unknown>) => [label, of, point]),
    [
      ['breaking', 0, breaks],
      ['migration', 0, 'Methods of objects end there.'],
    ],
  );
  assert.deepEqual(
    section.statements.map(({ id }: { id: string }) => id).slice(1),
    content.notablePoints.map(({ statements: [first] }: { statements: { id: string }[] }) => first?.id),
  );
  const { text } = await app.call('GET', '/r/acme/doors/2');
  assert.match(text, /<a class="label breaking" href="#[0-9a-f]{12}">Breaking<\/a>/);
  assert.match(text, /<p class="told risky breaking"><b>Breaking: <\/b>/);
});

test('a consequence that a model calls certain is stored as a certain judgement, and a doubtful one is not', async () => {
  const follows = (cite: Cite, basis: 'judgement' | 'consequence', text: string) =>
    say([cite('routes = Object')], '', text, { basis });
  const content = await write((cite) => ({
    sections: [
      {
        changeTypes: ['FIX'],
        sentences: [
          found(cite),
          follows(cite, 'consequence', 'Methods of objects are missing there.'),
          follows(cite, 'judgement', 'Callers that relied on this get nothing.'),
        ],
        show: '',
        heading: '',
      },
    ],
  }));
  const [{ statements }] = content.mainChanges;
  assert.deepEqual(
    statements.map(({ basis, certain }: { basis: string; certain?: true }) => [basis, certain]),
    [
      ['diff', undefined],
      ['judgement', true],
      ['judgement', undefined],
    ],
  );
});

test('the code of callers before and after is printed below a risk that breaks them, if the second model approved it', async () => {
  const callers = {
    of: 's1.2',
    before: 'routes = {}\nuse(routes)',
    after: 'routes = Object.create(null)\nuse(routes)',
  };
  const told = (more: object) =>
    write((cite) => {
      const refs = [cite('routes = Object'), cite('routes = {}', '-')];
      const risk = say(refs, 'routes = Object.create(null)', 'The routes are `Object.create(null)`.', {
        label: 'breaking',
      });
      return {
        sections: [{ changeTypes: ['FIX'], sentences: [found(cite), risk], show: '', heading: '' }],
        beforeAfter: [{ ...callers, ...more }],
      };
    });
  const { beforeAfter } = await told({});
  assert.deepEqual(
    [beforeAfter.label, beforeAfter.before, beforeAfter.after, beforeAfter.statements[0].text],
    ['breaking', callers.before, callers.after, 'The routes are `Object.create(null)`.'],
  );
  const { text: page } = await app.call('GET', '/r/acme/doors/2');
  const { text: markdown } = await app.call('GET', '/r/acme/doors/2.md');
  const { text: feed } = await app.call('GET', '/feeds/r/acme/doors.json?language=en');
  const { body } = await app.call('GET', '/repos/acme/doors/pulls/2/article', { token });
  const terminal = new TerminalArticle({ columns: 80, hasColours: false, isUnicode: true }, 'en')
    .print({ name: '', title: 'T', author: '', state: null, url: null }, body.data.contents.en, false)
    .join('\n');
  assert.match(
    page,
    /<figcaption>Before<\/figcaption><pre dir="ltr"><code>routes = \{\}\nuse\(routes\)<\/code><\/pre><\/figure><figure><figcaption>After<\/figcaption>/,
  );
  assert.ok(
    markdown.includes(`Before:\n\n\`\`\`\n${callers.before}\n\`\`\`\n\nAfter:\n\n\`\`\`\n${callers.after}\n`),
    markdown,
  );
  assert.match(
    JSON.parse(feed).items[0].content_html,
    /<p>Before<\/p>\n<pre dir="ltr"><code>routes = \{\}\nuse/,
  );
  assert.match(
    terminal,
    / {2}Before\n {4}routes = \{\}\n {4}use\(routes\)\n\n {2}After\n {4}routes = Object/,
  );

  for (const wrong of [{ of: 's1.1' }, { before: 'routes = nothingFound' }, { after: 'routes = open()' }]) {
    const content = await told(wrong);
    assert.deepEqual([content.beforeAfter, content.notablePoints.length], [null, 1], JSON.stringify(wrong));
  }
  mistrusted = /^s\d+ \(before and after/;
  assert.deepEqual([(await told({})).beforeAfter, model.heard.length > 0], [null, true]);
  mistrusted = null;
});

test('a model that writes about a revert reads why the reverted pull request was made, and why it is reverted', async () => {
  const clone = makeClone(root, 'acme/hinges');
  const commit = (text: string, message: string) => {
    writeFileSync(join(clone, 'hinge.ts'), text);
    git(clone, 'add', '--all');
    git(clone, 'commit', '--quiet', '--message', message);
  };
  commit('export const oil = 1;\n', 'Oil');
  commit('export const oil = 2;\n', 'Oil twice (#2)\n\nHinges in the cellar squeak in winter.');
  const sha = git(clone, 'rev-parse', 'HEAD').trim();
  commit(
    'export const oil = 1;\n',
    `Revert "Oil twice" (#3)\n\nThis reverts commit ${sha}.\n\nThe oil drips.`,
  );
  let read = '';
  model.play((request) => {
    const { asked, material } = questionIn(request);
    if (asked === 'article') read = material;
    return writeObligingly(request);
  });
  const reply = await app.call('POST', '/repos/acme/hinges/pulls/3/article', {
    token,
    body: { language: 'en' },
  });
  assert.equal(reply.status, 201, reply.text);
  for (const words of ['#2: Oil twice', '#2: Hinges in the cellar squeak in winter.', 'The oil drips.'])
    assert.ok(read.includes(words), `${words} is in ${read}`);
});
