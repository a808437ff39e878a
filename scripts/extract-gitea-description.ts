import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';

/** The tests need a small part of Gitea's API description, which this script extracts from a clone of Gitea. */
const target = new URL('../test/gitea/description.json', import.meta.url);

const sources = {
  '1.21.0': 'v1.21.0:templates/swagger/v1_json.tmpl',
  '1.27.0': 'v1.27.0:templates/swagger/v1_json.tmpl',
};

const names = [
  'User',
  'UserSettings',
  'Repository',
  'PullRequest',
  'PRBranchInfo',
  'Label',
  'PullReview',
  'PullReviewComment',
  'Comment',
  'Issue',
  'Commit',
  'RepoCommit',
  'CommitUser',
  'CommitMeta',
  'ChangedFile',
  'Tag',
  'Reference',
  'GitObject',
  'ServerVersion',
];

interface Schema {
  type?: string;
  format?: string;
  $ref?: string;
  items?: Schema;
  properties?: Record<string, Schema>;
}

/** Keeps types and names. Unused types allow anything; references and times may be null, as in Gitea. */
function simplify({ type, format, $ref, items }: Schema): object {
  const name = $ref?.split('/').at(-1) ?? '';
  if ($ref)
    return names.includes(name) ? { anyOf: [{ $ref: `#/definitions/${name}` }, { type: 'null' }] } : {};
  if (format === 'date-time') return { type: ['string', 'null'], format };
  if (type === 'array') return { type: ['array', 'null'], items: simplify(items ?? {}) };
  return { type };
}

function extract(clone: string, source: string): object {
  const printed = execFileSync('git', ['-C', clone, 'show', source], { maxBuffer: 64 * 1024 * 1024 });
  // Older descriptions are templates with placeholders in their texts.
  const { definitions } = JSON.parse(printed.toString().replaceAll(/\{\{.*?\}\}/g, ''));
  const kept = names.map((name) => {
    const properties: Record<string, Schema> = definitions[name].properties;
    const simplified = Object.entries(properties).map(([key, schema]) => [key, simplify(schema)]);
    return [
      name,
      { type: 'object', additionalProperties: false, properties: Object.fromEntries(simplified) },
    ];
  });
  return { definitions: Object.fromEntries(kept) };
}

const [clone] = process.argv.slice(2);
if (!clone) {
  console.error('Usage: npx --no-install node scripts/extract-gitea-description.ts CLONE_OF_GITEA');
  process.exitCode = 2;
} else {
  const extracted = Object.entries(sources).map(([version, source]) => [version, extract(clone, source)]);
  writeFileSync(target, `${JSON.stringify(Object.fromEntries(extracted))}\n`);
}
