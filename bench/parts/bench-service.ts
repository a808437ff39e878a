import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mintLocalToken } from '../../src/code-hosts/git/local-token.ts';
import { loadSecretKeys, prepareDataFolder } from '../../src/data-folder.ts';
import { type ScriptedModel, startScriptedModel } from '../../test/model/scripted-model.ts';
import { startPostgres } from '../../test/postgres.ts';
import { type RunningServer, runServer, service } from '../run-server.ts';
import { noteParts } from './note-parts.ts';

export interface Job {
  id: string;
  state: string;
  progress: { step: string };
}

export interface Bench {
  repos: string;
  model: ScriptedModel;
  databaseUrl: string;
  start: (more?: Record<string, string>) => Promise<RunningServer>;
  call: <Data>(method: string, url: string, body?: object) => Promise<{ status: number; data: Data | null }>;
  /** Has an article written in the background. */
  ask: (url: string, repo: string, more?: object) => Promise<Job>;
  waitForEnd: (url: string, id: string) => Promise<string>;
  stop: () => Promise<void>;
}

/** What every measurement needs: clones, a model on loopback, a database, and services on it. */
export async function prepareBench(): Promise<Bench> {
  const root = mkdtempSync(join(tmpdir(), 'pullquote-parts-'));
  const repos = join(root, 'repos');
  mkdirSync(repos);
  const postgres = await startPostgres();
  const model = await startScriptedModel(noteParts);
  const data = join(root, 'data');
  prepareDataFolder(data);
  const token = mintLocalToken(loadSecretKeys({ dataFolder: data, secretKeys: undefined }), {
    name: 'ann',
    expiresAt: new Date(Date.now() + 3_600_000),
    singleUse: false,
  });
  const environment = {
    DATABASE_URL: postgres.url,
    PULLQUOTE_DATA: data,
    GIT_REPOS: repos,
    AI_MODEL: 'compatible/scripted',
    AI_BASE_URL: model.url,
    AI_CONTEXT_TOKENS: '32000',
    AI_ARTICLES_PER_DAY: '1000',
    AI_TOKENS_PER_DAY: '1000000000',
    LOG_LEVEL: 'error',
  };
  const call: Bench['call'] = async (method, url, body) => {
    const headers = {
      authorization: `Bearer ${token}`,
      prefer: 'respond-async',
      ...(body && { 'content-type': 'application/json' }),
    };
    const reply = await fetch(url, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    const { data = null } = JSON.parse((await reply.text()) || '{}');
    return { status: reply.status, data };
  };
  return {
    repos,
    model,
    databaseUrl: postgres.url,
    start: (more = {}) => runServer(service, { environment: { ...environment, ...more } }),
    call,
    async ask(url, repo, more = {}) {
      const path = `${url}/repos/acme/${repo}/pulls/2/article`;
      const { status, data } = await call<Job>('POST', path, { language: 'en', ...more });
      if (status !== 202 || !data) throw new Error(`Nothing is written of ${repo}: ${status}`);
      return data;
    },
    async waitForEnd(url, id) {
      for (;;) {
        const { data } = await call<Job>('GET', `${url}/jobs/${id}`);
        if (data && data.state !== 'queued' && data.state !== 'running') return data.state;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    },
    async stop() {
      await model.close();
      await postgres.stop();
      rmSync(root, { recursive: true, force: true });
    },
  };
}

/** The most memory that a process has held so far, in MB. */
export const peakMegabytes = (pid = 0): number =>
  Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_000;
