import { once } from 'node:events';
import { type Asked, questionIn } from '../../test/model/obliging-writer.ts';
import type { HeardRequest, Script } from '../../test/model/scripted-model.ts';
import type { Bench } from './bench-service.ts';
import { touchOneFile } from './make-wide-pull-request.ts';
import { nameOf, noteParts } from './note-parts.ts';

/** As many as are asked at the same time unless it is set otherwise: when a process dies, this many answers may be on their way. */
const parallelCalls = 4;

const isAbout = (request: HeardRequest, asked: Asked): boolean => questionIn(request).asked === asked;

interface Killed {
  state: string;
  /** How often the job was given up and asked for again. */
  givenUp: number;
  parts: number;
  answeredTwice: number;
  inFlightTwice: number;
}

/** Kills the service while parts are read, several times, and counts what is asked again. */
export async function killMidway(bench: Bench, repo: string, kills: number, parts: number): Promise<Killed> {
  const { model, start, ask, waitForEnd } = bench;
  const before = model.heard.length;
  const inFlight = new Set<string>();
  const counted = { state: '', givenUp: 0, parts: 0, answeredTwice: 0, inFlightTwice: 0 };
  let server = await start();
  let { id } = await ask(server.url, repo);
  for (let kill = 1; kill <= kills; kill += 1) {
    const { promise, resolve } = Promise.withResolvers<void>();
    const known = new Set(model.heard.slice(before).map(nameOf)).size;
    const until = Math.max(known + parallelCalls + 1, Math.floor((parts * kill) / (kills + 1)));
    model.play((request) => {
      if (new Set(model.heard.slice(before).map(nameOf)).size >= until) resolve();
      return noteParts(request);
    });
    // A job whose workers died three times is given up, and asked for again.
    for (;;) {
      const ended = await Promise.race([promise.then(() => null), waitForEnd(server.url, id)]);
      if (ended === null) break;
      if (ended === 'done') throw new Error('It was read before it was time to kill.');
      counted.givenUp += 1;
      ({ id } = await ask(server.url, repo));
    }
    server.child.kill('SIGKILL');
    await once(server.child, 'exit');
    for (const request of model.heard.slice(before).slice(-parallelCalls)) inFlight.add(nameOf(request));
    server = await start();
  }
  model.play(noteParts);
  counted.state = await waitForEnd(server.url, id);
  if (counted.state === 'failed') {
    counted.givenUp += 1;
    counted.state = await waitForEnd(server.url, (await ask(server.url, repo)).id);
  }
  await server.stop();
  for (const [name, all] of Map.groupBy(model.heard.slice(before), nameOf)) {
    if (name.startsWith('notes')) counted.parts += 1;
    counted[inFlight.has(name) ? 'inFlightTwice' : 'answeredTwice'] += all.length - 1;
  }
  return counted;
}

/** Pushes a change of one file, and says which parts are asked about. */
export async function push(
  bench: Bench,
  clone: string,
  repo: string,
): Promise<{ asked: number; holdIt: number }> {
  const { model, start, ask, call, waitForEnd } = bench;
  const path = touchOneFile(clone);
  const server = await start();
  const before = model.heard.length;
  await call('POST', `${server.url}/repos/acme/${repo}/pulls/2/ingest`);
  await waitForEnd(server.url, (await ask(server.url, repo)).id);
  await server.stop();
  const parts = model.heard
    .slice(before)
    .map(questionIn)
    .filter(({ asked }) => asked === 'notes');
  return {
    asked: parts.length,
    holdIt: parts.filter(({ material }) => material.includes(` ${path}\n`)).length,
  };
}

/** One part is refused for ever. */
export async function failOnePart(
  bench: Bench,
  repo: string,
): Promise<{ kind: string; skipped: number; unread: number }> {
  const { model, start, ask, call, waitForEnd } = bench;
  model.play((request) =>
    isAbout(request, 'notes') && /^f\d+ \S+\/order-90\.ts/m.test(questionIn(request).material)
      ? { text: 'I would rather not.' }
      : noteParts(request),
  );
  const server = await start();
  await waitForEnd(server.url, (await ask(server.url, repo)).id);
  interface Content {
    writer: { kind: string };
    coverage: { skippedTotal: number; skipped: { reason: string }[] };
  }
  const { data } = await call<{ contents: { en: Content } }>(
    'GET',
    `${server.url}/repos/acme/${repo}/pulls/2/article`,
  );
  await server.stop();
  model.play(noteParts);
  const content = data?.contents.en;
  return {
    kind: content?.writer.kind ?? 'none',
    skipped: content?.coverage.skippedTotal ?? 0,
    unread: content?.coverage.skipped.filter(({ reason }) => reason.includes('could not read')).length ?? 0,
  };
}

/** How long it takes from a cancellation until the job is cancelled and the model's connections are closed, at each question. */
export async function cancelEverywhere(
  bench: Bench,
  repos: string[],
): Promise<{ asked: string; ms: number; later: number }[]> {
  const { model, start, ask, call } = bench;
  const server = await start();
  const steps: Asked[] = ['notes', 'article', 'verdicts', 'mended', 'said again'];
  const taken = [];
  for (const [index, fatal] of steps.entries()) {
    const hanging: HeardRequest[] = [];
    const { promise, resolve } = Promise.withResolvers<void>();
    const script: Script = (request) => {
      if (!isAbout(request, fatal)) return withMistake(request);
      hanging.push(request);
      resolve();
      return { silent: true };
    };
    model.play(script);
    const { id } = await ask(server.url, repos[index] ?? '', { language: 'fr' });
    await promise;
    const began = performance.now();
    await call('DELETE', `${server.url}/jobs/${id}`);
    const cancelled = model.heard.length;
    await Promise.all(hanging.map(({ isOver }) => isOver));
    const ms = performance.now() - began;
    await new Promise((resume) => setTimeout(resume, 1_000));
    taken.push({ asked: fatal, ms, later: model.heard.length - cancelled });
  }
  await server.stop();
  model.play(noteParts);
  return taken;
}

/** An article with a sentence that has to be mended. */
function withMistake(request: HeardRequest) {
  const reply = noteParts(request);
  if (!isAbout(request, 'article')) return reply;
  const answer = JSON.parse(reply.text ?? '{}');
  const [first] = answer.sections[0].sentences;
  answer.sections[0].sentences.push({ ...first, quote: 'nowhere', text: 'It adds `nowhere`.' });
  return { ...reply, text: JSON.stringify(answer) };
}
