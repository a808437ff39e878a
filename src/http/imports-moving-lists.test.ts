import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { test } from 'node:test';
import type { HostedApp } from '../../test/build-hosted-app.ts';
import { buildGiteaApp } from '../../test/gitea/build-gitea-app.ts';
import * as giteaRepository from '../../test/gitea/make-repository.ts';
import * as onGitea from '../../test/gitea/state.ts';
import { buildGitHubApp } from '../../test/github/build-github-app.ts';
import * as onGitHub from '../../test/github/state.ts';
import { buildGitLabApp } from '../../test/gitlab/build-gitlab-app.ts';
import * as onGitLab from '../../test/gitlab/state.ts';
import { waitUntil } from '../../test/wait-until.ts';

/** Closed pull requests, some of them merged: around the ends of pages, and the oldest. */
const closed = 230;
const merged = [30, 31, 130, 131];
/** Pull requests that are open at first. */
const later = Array.from({ length: 2 }, (_, index) => closed + 1 + index);
const numbers = Array.from({ length: closed + later.length }, (_, index) => index + 1);

const timeOf = (minute: number): string => new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString();

/** The list of a repository on a stand-in of a host. */
interface MovingList {
  reset: () => void;
  merge: (number: number, minute: number) => void;
  reopen: (number: number) => void;
  touch: (number: number, minute: number) => void;
}

interface Host {
  hosted: HostedApp;
  list: MovingList;
  /** Calls back after every response with a list of pull requests. */
  afterAnswers: (callback: () => void) => unknown;
}

const passThen =
  (callback: () => void) =>
  async (_: ServerResponse, pass: () => Promise<void>): Promise<void> => {
    await pass();
    callback();
  };

interface Changing {
  state: string;
  mergedAt: string | null;
  updatedAt: string;
}

function listOf(
  pulls: Changing[],
  { mergedIs = 'closed', openIs = 'open' }: { mergedIs?: string; openIs?: string } = {},
): MovingList {
  const change = (number: number, changed: Partial<Changing>) =>
    Object.assign(pulls[number - 1] ?? assert.fail(`no ${number}`), changed);
  const merge = (number: number, minute: number) => {
    const [mergedAt, updatedAt] = [timeOf(minute), timeOf(minute)];
    change(number, { state: mergedIs, mergedAt, updatedAt });
  };
  return {
    reset() {
      for (const number of numbers) {
        const state = number > closed ? openIs : 'closed';
        change(number, { state, mergedAt: null, updatedAt: timeOf(number) });
      }
      for (const number of merged) merge(number, number);
    },
    merge,
    reopen: (number) => change(number, { state: openIs }),
    touch: (number, minute) => change(number, { updatedAt: timeOf(minute) }),
  };
}

const wordsOf = (number: number): string => `words-${number}`;

const hosts: Record<string, () => Promise<Host>> = {
  async github() {
    const { github, ...hosted } = await buildGitHubApp();
    const pulls = numbers.map((number) => onGitHub.pull(number, wordsOf(number)));
    github.state.repositories.push(onGitHub.repository(71, 'acme/rocket', { pulls }));
    const afterAnswers: Host['afterAnswers'] = (callback) => github.script(/\/pulls\?/, passThen(callback));
    return { hosted, list: listOf(pulls), afterAnswers };
  },
  async gitea() {
    const { gitea, ...hosted } = await buildGiteaApp();
    const pulls = numbers.map((number) => onGitea.pull(number, wordsOf(number)));
    const rocket = giteaRepository.repository(71, 'acme/rocket', { pulls });
    gitea.state.repositories.push(rocket);
    const afterAnswers: Host['afterAnswers'] = (callback) => gitea.script(/\/pulls\?/, passThen(callback));
    return { hosted, list: listOf(rocket.pulls), afterAnswers };
  },
  async gitlab() {
    const { gitlab, ...hosted } = await buildGitLabApp();
    const changes = numbers.map((iid) => ({ iid, words: wordsOf(iid) }));
    const rocket = onGitLab.project(71, 'acme/rocket', changes);
    gitlab.state.projects.push(rocket);
    const list = listOf(rocket.mergeRequests, { mergedIs: 'merged', openIs: 'opened' });
    const afterAnswers: Host['afterAnswers'] = (callback) =>
      gitlab.script(/\/merge_requests\?/, passThen(callback));
    return { hosted, list, afterAnswers };
  },
};

/** Changes of the list after each response. */
const moves: Record<string, (list: MovingList, answered: number) => void> = {
  'new ones are merged'({ merge }, answered) {
    const number = later[answered - 1];
    if (number) merge(number, number);
  },
  'closed ones are opened again': ({ reopen }, answered) => answered <= 12 && reopen(closed - answered),
  'old ones change'({ touch }, answered) {
    const number = merged[answered - 1];
    if (number && answered <= 4) touch(number, closed + 100 + answered);
  },
};

const wishes = [{ last: merged.length }, { since: '2026-01-01' }];

for (const [kind, open] of Object.entries(hosts))
  test(`an import from ${kind} writes each merged pull request once and ends, even if the list moves while it is read`, async () => {
    const { hosted, list, afterAnswers } = await open();
    const token = await hosted.join('ann');
    const { call } = hosted.app;
    let afterAnswer = () => {};
    afterAnswers(() => afterAnswer());
    for (const [what, move] of Object.entries(moves))
      for (const wish of wishes) {
        const which = `${what}, ${JSON.stringify(wish)}`;
        list.reset();
        let answered = 0;
        afterAnswer = () => move(list, ++answered);
        const body = { ...wish, language: 'en' };
        const begun = await call('POST', '/repos/acme/rocket/import', { token, body });
        assert.equal(begun.status, 202, `${which}: ${begun.text}`);
        afterAnswer = () => {};
        const jobOf = async () => (await call('GET', `/jobs/${begun.body.data.id}`, { token })).body.data;
        await waitUntil(`${which}: the end`, async () => (await jobOf()).state === 'done');
        const { progress, written, failures } = await jobOf();
        assert.deepEqual([written.length, failures], [progress.total, []], which);
        assert.equal(progress.done, progress.total, which);
        if ('last' in wish) assert.equal(progress.total, wish.last, which);
        const missing = 'last' in wish && what === 'new ones are merged' ? [] : merged;
        assert.deepEqual(
          missing.filter((number) => !written.includes(number)),
          [],
          `${which}: missed`,
        );
      }
  });
