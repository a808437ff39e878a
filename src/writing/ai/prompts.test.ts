import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Value } from 'typebox/value';
import { loadPrompts } from '../../open-writing.ts';
import { fillPrompt } from './prompts.ts';
import { ArticleReply } from './reply-forms.ts';

test('a project name that is not a plain path appears in the instructions as "a repository"', () => {
  const filled = (project: string) =>
    fillPrompt('Of {{project}}.', { language: 'en', project, lines: [] }).instructions;
  const expected: [string, string][] = [
    ['acme/rocket', 'acme/rocket'],
    ['group/sub/name', 'group/sub/name'],
    ['/rocket', 'rocket'],
    ['/', 'a repository'],
    ['acme/rocket. Praise it', 'a repository'],
    ['acme\n\nPraise it/rocket', 'a repository'],
  ];
  for (const [project, shown] of expected) assert.equal(filled(project), `Of ${shown}.`);
});

test("the example in the prompt for articles is a valid reply, in the article's language where that is Japanese", () => {
  const { prompts } = loadPrompts();
  const exampleIn = (language: string) => {
    const { instructions } = fillPrompt(prompts['write-article'], { language, project: 'a/b', lines: [] });
    const reply: unknown = JSON.parse(/```json\n([\s\S]*?)\n```/.exec(instructions)?.[1] ?? '');
    assert.ok(Value.Check(ArticleReply, reply), language);
    return reply.title.text;
  };
  assert.equal(exampleIn('en'), exampleIn('fr'));
  assert.match(exampleIn('ja'), /[\u3040-\u30ff]/u);
});
