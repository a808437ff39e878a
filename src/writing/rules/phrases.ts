import type { Evidence } from '../../reading/facts.ts';
import type { SameEdit } from '../../reading/same-edits.ts';
import type { HeadlineFact } from './headline.ts';
import type { ChangeFact, ShownFact } from './lead.ts';
import type { ScopeFact } from './scope.ts';

export interface RuleSentence {
  say: (phrases: RulePhrases) => string;
  evidence: Evidence[];
}

type PhrasesFor<Fact extends { kind: string }> = {
  [Kind in Fact['kind']]: (fact: Fact & { kind: Kind }, doc?: string) => string;
};

type OpeningFact = ShownFact | ScopeFact;

export type TitleFact = ChangeFact | ScopeFact | HeadlineFact;

export const sayFact = ({ facts }: RulePhrases, fact: OpeningFact, doc?: string): string =>
  (facts[fact.kind] as (fact: OpeningFact, doc?: string) => string)(fact, doc);

export const sayHeadline = ({ facts, headlines }: RulePhrases, fact: TitleFact): string =>
  (({ ...facts, ...headlines })[fact.kind] as (fact: TitleFact) => string)(fact);

export interface Names {
  names: string[];
  more: number;
}

export const firstNames = (names: string[], most: number): Names => {
  const all = [...new Set(names)];
  // "And 1 more" is as long as the name that it leaves out.
  const count = all.length === most + 1 ? all.length : most;
  return { names: all.slice(0, count), more: Math.max(0, all.length - count) };
};

export const codeNames = (names: string[], most: number): Names => firstNames(names.map(code), most);

export const unreadKinds = ['lock', 'generated', 'vendored', 'binary', 'submodule', 'tooLarge'] as const;

export type Unread = (typeof unreadKinds)[number];

interface ListPhrases {
  comma: string;
  more: (count: number) => string;
}

export function listsIn({ comma, more }: ListPhrases) {
  const listOf = (list: Names): string => list.names.join(comma) + (list.more > 0 ? more(list.more) : '');
  return {
    listOf,
    turnsOf: (turns: { from: string; to: string }[]): string => {
      const names = turns.slice(0, 3).map(({ from, to }) => `${code(from)} → ${code(to)}`);
      return listOf({ names, more: turns.length - 3 });
    },
  };
}

export interface RulePhrases {
  facts: PhrasesFor<OpeningFact>;
  headlines: PhrasesFor<HeadlineFact> & Partial<PhrasesFor<ScopeFact>>;
  beforeScope: string;
  stop: string;
  sameHunk: (places: number, where: Names) => string;
  sameEdits: Record<SameEdit['kind'], (edit: SameEdit) => string>;
  moved: (what: Names, from: string, to: string) => string;
  fileMoved: (from: string, to: string, isEdited: boolean) => string;
  filesMoved: (files: number) => string;
  removedTests: (tests: Names) => string;
  assertion: (test: string | null, from: string, to: string) => string;
  alsoAdded: (what: Names) => string;
  alsoRemoved: (what: Names) => string;
  otherFiles: (files: Names) => string;
  unread: (files: [why: Unread, count: number][]) => string;
  madeExecutable: (files: Names) => string;
  noLongerExecutable: (files: Names) => string;
}

export const code = (text: string): string => (text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``);

export const bareVersion = (version: string | null): string => (version ?? '').replace(/^==?\s*/, '');
