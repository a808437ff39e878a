import type { FileText, HostRepository, WantedText } from '../code-host.ts';
import type { HostCaller } from '../http/host-api.ts';
import type { GitHubClient } from './github-client.ts';
import { FileTextsPayload, mostFilesAsked } from './payloads.ts';

/** Of all texts together, in characters; GitHub itself cuts those of half a megabyte. */
const mostText = 2 * 1024 * 1024;

interface Wanted {
  repository: HostRepository;
  base: string;
  head: string;
  wanted: WantedText[];
}

/** Whole files by one question, which leaves the service what it needs to ask by itself. Without a token GitHub answers none. */
export async function* askForFiles(
  client: GitHubClient,
  { repository: { owner, name }, base, head, wanted }: Wanted,
  caller: HostCaller,
): AsyncGenerator<FileText, void> {
  if (caller.token === null) return;
  const names = wanted
    .slice(0, mostFilesAsked)
    .map(({ path, side }) => `${side === 'new' ? head : base}:${path}`);
  const variables = { owner, name, ...Object.fromEntries(names.map((one, place) => [`n${place}`, one])) };
  const asker = { ...caller, leavesSpare: true };
  const found = await client.query(questionFor(names.length), variables, FileTextsPayload, asker);
  let left = mostText;
  for (const place of names.keys()) {
    const blob = found?.repository?.[`f${place}`];
    const text = blob?.isTruncated === false ? blob.text : null;
    if (text === null || text === undefined || text.length > left) continue;
    left -= text.length;
    yield { place, text };
  }
}

/** Paths are variables, so that none can be taken for a part of the question. */
function questionFor(count: number): string {
  const places = Array.from({ length: count }, (_, place) => place);
  const declared = places.map((place) => `, $n${place}: String!`).join('');
  const asked = places.map((place) => `f${place}: object(expression: $n${place}) { ...file }`).join('\n    ');
  return `query ($owner: String!, $name: String!${declared}) {
  repository(owner: $owner, name: $name) {
    ${asked}
  }
}
fragment file on Blob { text isTruncated }`;
}
