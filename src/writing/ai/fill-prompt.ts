import { randomBytes } from 'node:crypto';
import { isRepositoryName } from '../../domain/repositories.ts';

/** The prompts of a release or of an operator, by the names of their files. */
export interface Prompts {
  'write-article': string;
  'read-part': string;
  'judge-sentences': string;
  'mend-sentences': string;
  'say-again': string;
  'ask-again': string;
}

/** What a prompt asks for, filled in, and the untrusted lines behind a fence that was made for this call alone. */
export interface FilledPrompt {
  instructions: string;
  prompt: string;
}

const notes: Record<string, string> = {
  ja: 'Japanese: です・ます調で、開発者が声に出して読んで自然な文にします。英語の語順や受け身をそのまま写さず、主語が分かるところでは省きます。人の言葉は「」に原文のまま入れ、コードの名前は必ずバッククォートで囲みます。',
};

/** Fills a prompt's places in and sets untrusted lines into a fence whose name no author could have guessed. */
export function fillPrompt(
  template: string,
  { language, project, lines }: { language: string; project: string; lines: string[] },
): FilledPrompt {
  const fence = `q${randomBytes(5).toString('hex')}`;
  const values: Record<string, string> = {
    fence,
    project: nameOfProject(project),
    language: languageName(language),
    notes: notes[language] ?? '',
  };
  const instructions = template
    .replace(/\{\{(\w+)\}\}/g, (place, name: string) => values[name] ?? place)
    .replace(/\n{3,}/g, '\n\n');
  return { instructions, prompt: [`<${fence}>`, ...lines, `</${fence}>`].join('\n') };
}

/** It stands outside of the fence, and a clone's is what a stranger has called it: where that is no name, it is left out. */
function nameOfProject(project: string): string {
  const names = project.split('/').filter(Boolean);
  return names.length > 0 && names.every(isRepositoryName) ? names.join('/') : 'a repository';
}

/** The name of the fence that a filled prompt has around the untrusted lines. */
export function fenceOf(prompt: string): string | null {
  return /^<(q[0-9a-f]{10})>\n/.exec(prompt)?.[1] ?? null;
}

export function languageName(code: string): string {
  return new Intl.DisplayNames(['en'], { type: 'language' }).of(code) ?? code;
}
