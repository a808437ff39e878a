import { readFile } from 'node:fs/promises';
import { inspect } from 'node:util';
import type { Static, TSchema } from 'typebox';
import { Check } from 'typebox/value';
import { print, UsageProblem } from '../cli/command.ts';
import { nullable } from '../contract/formats.ts';
import { Type } from '../contract/type.ts';
import { Failure, StartupProblem } from '../domain/errors.ts';
import { replaceHidden } from '../domain/text.ts';

/** Runs what a step of a workflow does. What goes wrong is an annotation of the run: what it says stays on its line. */
export function runStep(step: () => Promise<void>): void {
  step().catch((error: unknown) => {
    const isExplained =
      error instanceof Failure || error instanceof StartupProblem || error instanceof UsageProblem;
    const text = isExplained ? error.message : inspect(error);
    print(`::error title=Pullquote::${escapeData(text)}`);
    process.exitCode = 1;
  });
}

const escapeData = (text: string): string =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

// What GitHub says of the event that a workflow runs for, as far as it is used. Titles, bodies and names are strangers' words.

const Sha = Type.String({ pattern: '^[0-9a-f]{40,64}$' });
const Name = Type.String({ pattern: '^[\\w.-]+$' });
const Account = Type.Object({ login: Type.String() });
const Repository = Type.Object({ name: Name, owner: Type.Object({ login: Name }) });

export const PullRequestEvent = Type.Object({
  repository: Repository,
  pull_request: Type.Object({
    number: Type.Integer({ minimum: 1 }),
    title: Type.String(),
    body: nullable(Type.String()),
    draft: Type.Optional(Type.Boolean()),
    html_url: Type.String(),
    created_at: Type.String(),
    user: nullable(Account),
    labels: Type.Array(Type.Object({ name: Type.String() })),
    base: Type.Object({ sha: Sha, ref: Type.String() }),
    head: Type.Object({ sha: Sha, ref: Type.String() }),
  }),
});

export type EventPullRequest = Static<typeof PullRequestEvent>['pull_request'];

export const WorkflowRunEvent = Type.Object({
  repository: Repository,
  workflow_run: Type.Object({
    event: Type.String(),
    conclusion: nullable(Type.String()),
    head_sha: Sha,
    head_branch: nullable(Type.String()),
    head_repository: nullable(Type.Object({ owner: Account })),
  }),
});

export async function readEvent<Event extends TSchema>(
  file: string,
  kind: Event,
  workflow: string,
): Promise<Static<Event>> {
  const event: unknown = JSON.parse(await readFile(file, 'utf8').catch(() => 'null'));
  if (Check(kind, event)) return event;
  throw new StartupProblem(`This action must run in a workflow with on: ${workflow}.`);
}

interface Place {
  at: number;
  bytes: number;
  isSection: boolean;
}

/** Where Markdown can be cut: before headings, and between paragraphs; nowhere inside of a code block. */
function* placesToCut(markdown: string): Generator<Place> {
  let fence = '';
  let at = 0;
  let bytes = 0;
  for (const line of markdown.split('\n')) {
    const [run = ''] = /^ {0,3}(?:`{3,}|~{3,})/.exec(line) ?? [];
    const marks = run.trim();
    if (fence === '') {
      const isSection = /^#{1,6} /.test(line);
      if (isSection || line.trim() === '') yield { at, bytes, isSection };
      fence = marks;
    } else if (marks.startsWith(fence) && line.trim() === marks) fence = '';
    at += line.length + 1;
    bytes += Buffer.byteLength(line) + 1;
  }
}

/** Cuts Markdown where a section ends, or between paragraphs if the first section is too large, and adds a note. */
export function cutAtSection(markdown: string, mostBytes: number, note: string): string {
  if (Buffer.byteLength(markdown) <= mostBytes) return markdown;
  const room = mostBytes - Buffer.byteLength(`\n\n${note}\n`);
  const fitting = [...placesToCut(markdown)].filter(({ at, bytes }) => at > 0 && bytes <= room);
  const last = fitting.findLast(({ isSection }) => isSection) ?? fitting.at(-1);
  return `${markdown.slice(0, last?.at ?? 0).trimEnd()}\n\n${note}\n`;
}

/** By which the comment is found again. Readers do not see it, and what strangers wrote cannot begin with it. */
export const marker = '<!-- pullquote -->';

/** Comments have 65,536 characters at most, and none of them takes less than a byte. */
const mostBytes = 60_000;

const note = '*This comment was shortened to fit. The summary of the workflow run contains more.*';

/** The run that wrote it has the fork's own workflow and files, whereas the comment has the name of a bot that is trusted. */
export const origin =
  '*Written by a workflow that runs with files from this pull request: its author may have changed this text.*';

/** Invisible; it splits a word for GitHub. */
const apart = '\u200b';

/**
 * What calls people, leads to other issues, loads something or is HTML, anywhere: a code block that strangers wrote
 * may end where none is seen to end.
 */
const active: [RegExp, string][] = [
  // What is spelled as an entity shows as the character itself, and is not seen by what follows here.
  [/&(?=#?[a-z\d]+;)/gi, `&${apart}`],
  [/@(?=[\p{L}\p{N}_-])/gu, `@${apart}`],
  [/(#|GH\\?-)(?=\d)/gi, `$1${apart}`],
  [/<(?=[a-z/!?])/gi, `<${apart}`],
  [/!(?=\[)/g, `!${apart}`],
  // Of other repositories, issues would tell that they are mentioned here; this host leads to the same pages and is not looked at.
  // Each mark may have a backslash before it.
  [
    /(?<![\w.-])(?:www\\?\.)?github\\?\.com(?:\\?\.)?(?:\\?:\d*)?(?=\\?(?:\/+[^/\s]+){2}\/+(?:issues|pull|discussions)\b)/gi,
    'redirect.github.com',
  ],
  // Without a host, it is that of the comment.
  [/(?<![\p{L}\p{N}_.:/\\-])(?=\\?(?:\/+[^/\s]+){2}\/+(?:issues|pull|discussions)\b)/giu, apart],
  // Other programs that read comments follow what begins so.
  [/^( {0,3})\/(?=\w)/gm, `$1${apart}/`],
];

export function safeComment(markdown: string): string {
  const seen = replaceHidden(markdown.replace(/\r\n?/g, '\n'), 'exact', () => '');
  const harmless = active.reduce((text, [what, instead]) => text.replace(what, instead), seen);
  return `${marker}\n${origin}\n\n${cutAtSection(harmless, mostBytes, note)}`;
}
