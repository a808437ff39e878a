import type { FileOutline } from '../src/reading/facts.ts';
import type { FileDiff } from '../src/reading/file-diff.ts';
import { type OfflineArticles, writeOffline } from '../src/writing/rules/write.ts';
import { readFacts } from './read-facts.ts';

const coverage = { filesRead: 0, filesTotal: 0, linesRead: 0, linesTotal: 0, skipped: [], skippedTotal: 0 };

interface Words {
  title?: string;
  body?: string;
  isClone?: boolean;
  commitMessages?: string[];
  issues?: number[];
  /** Outlines of whole files. */
  outlines?: ReadonlyMap<string, FileOutline>;
}

/** The articles about a diff in both languages, without a service. */
export function write(diff: FileDiff[], words: Words = {}): OfflineArticles {
  const { title = 'Change the parser', body = '', isClone = true, commitMessages = [], issues = [] } = words;
  const text = { repository: 'some/where', title, body, commitMessages, labels: [] };
  const facts = readFacts(text, diff, words.outlines);
  const commits = commitMessages.map((message) => ({ message, author: 'ada' }));
  const linkedIssues = issues.map((number) => ({ number, title: '' }));
  return writeOffline(
    { ...text, author: 'ada', isClone, commits, comments: [], linkedIssues, facts, diff },
    coverage,
  );
}
