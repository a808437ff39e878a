import { readFile } from 'node:fs/promises';
import { inspect } from 'node:util';
import type { Static, TSchema } from 'typebox';
import { Check } from 'typebox/value';
import { print, UsageProblem } from '../cli/command.ts';
import { nullable } from '../contract/formats.ts';
import { Type } from '../contract/type.ts';
import { Failure, StartupProblem } from '../domain/errors.ts';
import { replaceHidden } from '../domain/text.ts';

/** Runs a step of a workflow. Errors become annotations of the run, on one line. */
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

// The fields of the workflow event that we use. Titles, bodies and names are written by strangers.

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

/** The places where Markdown can be cut: before headings and between paragraphs, but not inside code blocks. */
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

/** Cuts Markdown at the end of a section, or between paragraphs if the first section is too large, and adds a note. */
export function cutAtSection(markdown: string, mostBytes: number, note: string): string {
  if (Buffer.byteLength(markdown) <= mostBytes) return markdown;
  const room = mostBytes - Buffer.byteLength(`\n\n${note}\n`);
  const fitting = [...placesToCut(markdown)].filter(({ at, bytes }) => at > 0 && bytes <= room);
  const last = fitting.findLast(({ isSection }) => isSection) ?? fitting.at(-1);
  return `${markdown.slice(0, last?.at ?? 0).trimEnd()}\n\n${note}\n`;
}

/** Identifies the comment. Readers do not see it, and text of strangers cannot begin with it. */
export const marker = '<!-- pullquote -->';

/** GitHub allows 65,536 characters per comment, each of at least one byte. */
const mostBytes = 60_000;

const note = '*This comment was shortened to fit. The summary of the workflow run contains more.*';

/** A warning, because the run uses the workflow and files of the fork, while the comment is signed by a trusted bot. */
export const origin =
  '*Written by a workflow that runs with files from this pull request: its author may have changed this text.*';

/** An invisible character that splits a word for GitHub. */
const apart = '\u200b';

/**
 * Disables mentions, issue links, embedded content and HTML everywhere, because a code block of strangers may end where
 * none seems to.
 */
const active: [RegExp, string][] = [
  // Entities would become active characters after the replacements below.
  [/&(?=#?[a-z\d]+;)/gi, `&${apart}`],
  [/@(?=[\p{L}\p{N}_-])/gu, `@${apart}`],
  [/(#|GH\\?-)(?=\d)/gi, `$1${apart}`],
  [/<(?=[a-z/!?])/gi, `<${apart}`],
  [/!(?=\[)/g, `!${apart}`],
  // Links to other repositories would notify their issues; this host leads to the same pages without notifying. Each
  // character may be escaped by a backslash.
  [
    /(?<![\w.-])(?:www\\?\.)?github\\?\.com(?:\\?\.)?(?:\\?:\d*)?(?=\\?(?:\/+[^/\s]+){2}\/+(?:issues|pull|discussions)\b)/gi,
    'redirect.github.com',
  ],
  // A path without a host is one on the host of the comment.
  [/(?<![\p{L}\p{N}_.:/\\-])(?=\\?(?:\/+[^/\s]+){2}\/+(?:issues|pull|discussions)\b)/giu, apart],
  // Bots interpret lines that begin with a slash as commands.
  [/^( {0,3})\/(?=\w)/gm, `$1${apart}/`],
];

export function safeComment(markdown: string): string {
  const seen = replaceHidden(markdown.replace(/\r\n?/g, '\n'), 'exact', () => '');
  const harmless = active.reduce((text, [what, instead]) => text.replace(what, instead), seen);
  return `${marker}\n${origin}\n\n${cutAtSection(harmless, mostBytes, note)}`;
}
