import { makeFeedAddress, signUp } from '../../actions/accounts/account.ts';
import { readIntended } from '../../actions/accounts/sign-in.ts';
import { LanguageCode } from '../../contract/formats.ts';
import { Type } from '../../contract/type.ts';
import {
  findHostToken,
  findIdentity,
  listLiveSessions,
  updateInterfaceLanguage,
  updateLanguage,
} from '../../db/accounts.ts';
import { deleteFeedAddress, findFeedAddress } from '../../db/following.ts';
import { safeReturnPath } from '../../domain/accounts.ts';
import { accountGone } from '../../domain/errors.ts';
import * as pages from '../../pages/accounts.ts';
import { articleLink, signInLink, signUpLink } from '../../pages/links.ts';
import { interfaceLanguages } from '../../pages/words/words.ts';
import { presentUser } from '../accounts/account.ts';
import { presentSession } from '../accounts/sessions.ts';
import type { Deps } from '../deps.ts';
import { feedUrls } from '../feeds/own-feeds.ts';
import {
  clearSessionCookie,
  feedSecret,
  handOn,
  intentCookieOf,
  setInterfaceCookie,
  takeHandedOn,
} from '../requests/cookies.ts';
import { backQuery, form, hostName, ownForm, ownPage, page, pageOfForm } from './page.ts';

export const getSignInPage = (deps: Deps) =>
  page({
    query: backQuery,
    show: ({ query, viewer, request, contextIn }) => {
      const { firstHost } = contextIn(undefined);
      const sealed = intentCookieOf({ request, publicUrl: deps.publicUrl });
      const intended = query.back === undefined ? readIntended(deps, sealed) : null;
      const back = intended
        ? articleLink({ ...intended, prNumber: intended.number }, firstHost)
        : safeReturnPath(query.back);
      const ways = waysOf(deps);
      // The token after # does not reach the server, so the page is also shown to users who are already signed in.
      const current = viewer && {
        host: viewer.identity.host,
        name: viewer.identity.hostUsername,
        next: viewer.user ? back : signUpLink(back),
      };
      return { page: pages.signInPage(contextIn(undefined), { ways, current, back }) };
    },
  });

function waysOf({ codeHosts, issuer, publicUrl }: Deps): pages.SignInWays {
  const tokens = [...new Set(codeHosts.map(({ signIn }) => signIn)), ...(issuer ? ['oidc' as const] : [])];
  const withApp = publicUrl === undefined ? [] : codeHosts.filter(({ app }) => app);
  const byBrowser = withApp.map((codeHost) => ({ id: codeHost.id, name: hostName(codeHost) }));
  return { tokens, byBrowser, hasSeveralHosts: codeHosts.length > 1 };
}

export const getSignUpPage = ({ languages }: { languages: () => string[] }) =>
  page({
    query: backQuery,
    show: ({ query, viewer, contextIn }) => {
      const back = safeReturnPath(query.back);
      const context = contextIn(undefined);
      if (!viewer) return { redirectTo: signInLink(context.address) };
      if (viewer.user) return { redirectTo: back };
      return { page: pages.signUpPage(context, languages(), back) };
    },
  });

const mostSessions = 100;

export const getSettingsPage = (deps: Deps) =>
  ownPage({
    query: { saved: Type.Optional(Type.String()) },
    async show({ query: { saved }, viewer, request, reply, contextIn }) {
      const { database, codeHosts, languages, publicUrl, clock } = deps;
      const known = await findIdentity(database, viewer.identity);
      const { rows } = known
        ? await listLiveSessions(database, {
            identityId: known.identityId,
            now: clock(),
            limit: mostSessions,
            offset: 0,
          })
        : { rows: [] };
      const tokenHosts = await Promise.all(
        codeHosts
          .filter(({ isLocal }) => !isLocal)
          .map(async (host) => {
            const token = await findHostToken(database, { identity: viewer.identity, host: host.id });
            return { id: host.id, name: hostName(host), savedAt: token?.savedAt.toISOString() ?? null };
          }),
      );
      const userId = viewer.user.id;
      const secret = takeHandedOn({ ...deps, request, reply, userId }, feedSecret);
      if (secret !== null) reply.header('cache-control', 'no-store');
      const address = await findFeedAddress(database, userId);
      return {
        page: pages.settingsPage(contextIn(undefined), {
          user: presentUser(request, publicUrl, viewer.identity, viewer.user),
          languages: languages(),
          sessions: rows.map((session) => presentSession(session, viewer)),
          tokenHosts,
          feed: {
            madeAt: address?.createdAt.toISOString() ?? null,
            urls: secret === null ? null : feedUrls(request, publicUrl, secret),
          },
          isSaved: saved !== undefined,
        }),
      };
    },
  });

const languageBody = { language: LanguageCode() };

export const signUpForm = (deps: Deps) =>
  form({
    query: backQuery,
    body: languageBody,
    async submit({ query, body: { language }, viewer }) {
      const back = safeReturnPath(query.back);
      if (!viewer) return signInLink(back);
      if (!viewer.user) await signUp(deps, viewer.identity, language);
      return back;
    },
  });

export const languageForm = ({ database, clock }: Deps) =>
  ownForm({
    body: languageBody,
    async submit({ body: { language }, viewer }) {
      const changed = await updateLanguage(database, { userId: viewer.user.id, language, now: clock() });
      if (!changed) throw accountGone();
      return '/settings?saved=language';
    },
  });

export const interfaceForm = ({ database, publicUrl }: Deps) =>
  form({
    body: { language: Type.Enum(interfaceLanguages, { type: 'string' }) },
    async submit({ body: { language }, viewer, request, reply }) {
      setInterfaceCookie(reply, { request, publicUrl }, language);
      if (viewer?.user) await updateInterfaceLanguage(database, { userId: viewer.user.id, language });
      return pageOfForm(request);
    },
  });

export const feedAddressForm = (deps: Deps) =>
  ownForm({
    async submit({ viewer, request, reply }) {
      const userId = viewer.user.id;
      const secret = await makeFeedAddress(deps, userId);
      handOn({ ...deps, request, reply, userId }, feedSecret, secret);
      return '/settings#feed';
    },
  });

export const endFeedAddressForm = ({ database }: Deps) =>
  ownForm({
    async submit({ viewer }) {
      await deleteFeedAddress(database, viewer.user.id);
      return '/settings?saved=feed#feed';
    },
  });

export const logOutForm = ({ revocations }: Deps) =>
  form({
    async submit({ viewer, request, reply }) {
      if (viewer) await revocations.logOut(viewer);
      clearSessionCookie(request, reply);
      return '/';
    },
  });
