import { openRepository, readRelease, suggestTags } from '../../actions/releases/read-release.ts';
import { findVisibleRepository } from '../../actions/repositories/find-repository.ts';
import { UnknownRef } from '../../code-hosts/code-host.ts';
import { LanguageCode } from '../../contract/formats.ts';
import type { Release } from '../../contract/release.ts';
import { Type } from '../../contract/type.ts';
import { mostImported } from '../../domain/pull-requests.ts';
import { faultsOf, refMaxLength } from '../../domain/releases.ts';
import type { OfferedImport } from '../../pages/import-progress.ts';
import type { PageContext } from '../../pages/page-context.ts';
import { releasePage as show } from '../../pages/release.ts';
import { presentRelease } from '../answers/present.ts';
import type { Deps } from '../deps.ts';
import { repositoryParams } from '../pull-requests.ts';
import { chooseCodeHost, hostQuery } from '../requests/choose-code-host.ts';
import { abortOnDisconnect } from '../requests/parse-requests.ts';
import { page, wishedLanguages } from './page.ts';
import { findImport } from './repository.ts';

const end = () => Type.Optional(Type.String({ maxLength: 2 * refMaxLength }));

export const releasePage = (deps: Deps) =>
  page({
    params: Type.Object(repositoryParams),
    query: Type.Object({
      ...hostQuery(deps.codeHosts),
      from: end(),
      to: end(),
      language: Type.Optional(LanguageCode()),
    }),
    async show({ params, query, viewer, request, reply, acceptLanguage, contextIn }) {
      const context = contextIn(query.language);
      const codeHost = chooseCodeHost(deps.codeHosts, query.host);
      const address = { codeHost, owner: params.owner, name: params.repo };
      const signal = abortOnDisconnect(reply);
      const open = await openRepository(deps, address, { viewer, signal });
      const { owner, name: repo } = open.repository;
      const [from, to] = [query.from?.trim() || undefined, query.to?.trim() || undefined];
      const tags = await suggestTags(codeHost, open.repository, open.caller);
      const shown = { host: codeHost.id, owner, repo, from, to, tags, language: query.language };
      const ask = (problem: string | null, status = 200) => ({
        status,
        page: show(context, { ...shown, problem, release: null, offered: null }),
      });
      if (from === undefined && to === undefined) return ask(null);
      if (from === undefined || to === undefined) return ask(context.words.release.problems.missing, 400);
      const unfit = unfitFor(context, { from, to });
      if (unfit !== null) return ask(unfit, 400);
      const wished = wishedLanguages(viewer?.user?.language, acceptLanguage, context);
      const languages = query.language === undefined ? wished : [query.language, ...wished];
      try {
        const noting = { database: deps.database, log: request.log };
        const collected = await readRelease(noting, address, open, { from, to, languages, tags });
        const release = presentRelease(collected, { from, to });
        const asker = viewer?.user && {
          viewer: { ...viewer, user: viewer.user },
          signal,
          requestId: request.id,
        };
        const stored = asker && (await findVisibleRepository(deps, address, { viewer, now: deps.clock() }));
        const job = stored ? await findImport(deps, stored.id, asker) : null;
        const offered = asker ? offerToWrite(context, release, job?.job ?? null) : null;
        return { page: show(context, { ...shown, problem: null, release, offered }) };
      } catch (error) {
        if (!(error instanceof UnknownRef)) throw error;
        return ask(context.words.release.problems.unknown(error.ref, error.suggested), 404);
      }
    },
  });

function unfitFor({ words }: PageContext, range: { from: string; to: string }): string | null {
  const { problems } = words.release;
  const [fault] = faultsOf(range);
  if (!fault) return null;
  return fault.is === 'same' ? problems.same : problems.unfit(range[fault.field].slice(0, refMaxLength));
}

/** As many at once as one import takes. */
function offerToWrite(
  { words }: PageContext,
  { unwritten }: Release,
  job: OfferedImport['job'],
): OfferedImport | null {
  const numbers = unwritten.slice(0, mostImported);
  if (numbers.length === 0 && !job) return null;
  return { label: numbers.length > 0 ? words.importing.these(numbers.length) : null, wish: { numbers }, job };
}
