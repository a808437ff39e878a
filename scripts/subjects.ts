import { globSync } from 'node:fs';
import { basename } from 'node:path';

// The subjects of the service. A subject has the same name in every layer, so that `ls src/*/questions*` lists all of
// one.
export const subjects: Record<string, { stem: string; notAs?: string[] }> = {
  accounts: { stem: 'account', notAs: ['user', 'users'] },
  repositories: { stem: 'repository', notAs: ['repo', 'add'] },
  'pull-requests': { stem: 'pull-request', notAs: ['pulls'] },
  articles: { stem: 'article' },
  imports: { stem: 'import' },
  reviews: { stem: 'review', notAs: ['discussion', 'discussions'] },
  likes: { stem: 'like' },
  following: { stem: 'follow', notAs: ['favorite', 'favorites', 'watch', 'watches', 'watching'] },
  questions: { stem: 'question', notAs: ['ask', 'answer', 'answers'] },
  search: { stem: 'search', notAs: ['find'] },
  feeds: { stem: 'feed' },
  digests: { stem: 'digest' },
  releases: { stem: 'release' },
  webhooks: { stem: 'webhook' },
  models: { stem: 'model', notAs: ['trial'] },
  jobs: { stem: 'job' },
  backup: { stem: 'backup', notAs: ['restore'] },
  agents: { stem: 'agent' },
};

/** Folders in which a module about a subject begins with its name. */
export const layers = [
  'src/contract',
  'src/domain',
  'src/writing',
  'src/db',
  'src/actions',
  'src/http',
  'src/http/pages',
  'src/pages',
  'web',
];

const modulesIn = (layer: string): string[] => {
  const files = globSync(`${layer}/*`).filter((path) => !path.endsWith('.test.ts'));
  return [...new Set(files.map((path) => basename(path).replace(/\.[a-z]+$/, '')))].sort();
};

const begins = (name: string, word: string): boolean => name === word || name.startsWith(`${word}-`);

const subjectOf = (name: string): string | null =>
  Object.entries(subjects).find(([subject, { stem }]) => begins(name, subject) || begins(name, stem))?.[0] ??
  null;

/** Modules whose name begins with another word for a subject. */
export function misnamedModules(modules: string[]): string[] {
  const others = Object.values(subjects).flatMap(({ notAs = [] }) => notAs);
  return modules.filter((name) => subjectOf(name) === null && others.some((word) => begins(name, word)));
}

export const misnamedIn = (layer: string): string[] =>
  misnamedModules(modulesIn(layer)).map((name) => `${layer}/${name}`);

const printed = (name: string, subject: string): string => (name === subject ? '✓' : `\`${name}\``);

export function subjectsAsTable(): string {
  const heads = layers.map((layer) => `\`${layer.replace('src/', '')}\``);
  const rows = Object.keys(subjects).map((subject) =>
    [
      subject,
      ...layers.map((layer) =>
        modulesIn(layer)
          .filter((name) => subjectOf(name) === subject)
          .map((name) => printed(name, subject))
          .join(' '),
      ),
    ].join(' | '),
  );
  const rule = ['---', ...layers.map(() => '---')].join(' | ');
  return [['Subject', ...heads].join(' | '), rule, ...rows].map((line) => `| ${line} |\n`).join('');
}
