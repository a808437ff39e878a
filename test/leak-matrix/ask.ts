import type { TestApp } from '../build-app.ts';
import { sendRequest } from '../send-request.ts';
import type { Probe } from './probe.ts';
import type { Prepared } from './repositories.ts';
import { follows } from './rights.ts';
import type { Visitor } from './visitors.ts';

const mostMs = 120_000;

interface Reply {
  status: number;
  tag: string | null;
  /**
   * Whether the response contains words of the repository, its name if the viewer did not give it, or a sign that it
   * exists.
   */
  tells: boolean;
}

/** Forms redirect visitors to sign-in, and forms of an absent repository back to themselves, for every repository. */
const ledAway: [where: RegExp, means: number][] = [
  [/^\/sign-(?:in|up)\b/, 401],
  [/^\/favorites\?.*\bproblem=noRepository\b/, 404],
];

const isToAgents = (path: string): boolean => path === '/mcp';

const countsOf = (path: string): RegExp =>
  isToAgents(path) ? /"total":[1-9]/ : /"(?:totalItems|merged)":[1-9]/;

const saidIn = ({ path, body }: Probe): string => `${path} ${JSON.stringify(body)}`.toLowerCase();

/** The name of a replaced repository is another's now, and so is a name without its host. */
export function isAboutAnother(probe: Probe, { state, repo, hasTwin, column }: Prepared): boolean {
  const said = saidIn(probe);
  if (!said.includes(repo)) return false;
  const isHostNamed = said.includes(`host=${column.id}`) || said.includes(`"host":"${column.id}"`);
  return state === 'replaced' || (hasTwin && !isHostNamed);
}

export async function ask(
  { url, config }: Pick<TestApp, 'url' | 'config'>,
  { viewer, token, feedSecret }: Visitor,
  probe: Probe,
  prepared: Prepared,
  tag?: string,
): Promise<Reply> {
  const { method, path, body, accept } = probe;
  const { canary, repo, hasTwin } = prepared;
  const response = await sendRequest(new URL(path.replace(':secret', feedSecret), url), {
    method,
    // A stream that does not end fails instead of blocking.
    signal: AbortSignal.timeout(mostMs),
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(accept !== undefined && { accept }),
      ...(tag !== undefined && { 'if-none-match': tag }),
      // Forms are accepted only from the service's own origin.
      ...(method !== 'GET' && { origin: new URL(config.publicUrl ?? url).origin }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const { text } = response;
  const said = `${text}\n${JSON.stringify([...response.headers])}`;
  const wasNamed = saidIn(probe).includes(repo);
  // Another repository of the same name has pull requests too.
  const counts = wasNamed && !isAboutAnother(probe, prepared) && countsOf(path).test(said);
  // A follower sees the name they followed, even without access.
  const isOwnWatch = follows(viewer) && /^\/(?:users\/me\/watches|favorites)\b/.test(path);
  const isNameTold = !hasTwin && !wasNamed && !isOwnWatch && said.includes(repo);
  const tells = said.includes(canary) || isNameTold || counts;
  const location = response.headers.get('location') ?? '';
  const refusal =
    isToAgents(path) && response.status < 300 && /"isError":true|^\{"[^{]*"error":/.test(text) ? 404 : null;
  const status = ledAway.find(([where]) => where.test(location))?.[1] ?? refusal ?? response.status;
  return { status, tag: response.headers.get('etag'), tells };
}
