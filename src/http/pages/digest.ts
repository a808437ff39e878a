import type { SignedUpViewer } from '../../actions/accounts/identify-bearer.ts';
import { Type } from '../../contract/type.ts';
import { findDigestSettings } from '../../db/digest-settings.ts';
import { type DigestPeriod, digestChoices, lastPeriod } from '../../domain/digest.ts';
import { Failure } from '../../domain/errors.ts';
import { isEmail, longestEmail } from '../../domain/mail.ts';
import {
  type DigestProblem,
  digestPath,
  digestProblems,
  type ShownDigest,
  digestPage as show,
} from '../../pages/digest.ts';
import { withQuery } from '../../pages/links.ts';
import {
  type AskedDigest,
  type DigestParts,
  digestQuery,
  presentDigestSettings,
  readAskedDigest,
  takeChoice,
} from '../digest.ts';
import { ownForm } from './form.ts';
import { ownPage } from './own-page.ts';

/** What can be wrong with what was sent is told by the page in its own words. */
const problemOf: Partial<Record<Failure['code'], DigestProblem>> = {
  INVALID_REQUEST: 'address',
  QUOTA_EXHAUSTED: 'tooMany',
  UNAVAILABLE: 'away',
};

export const digestPage = (parts: DigestParts) =>
  ownPage({
    query: Type.Object({
      ...digestQuery(parts.codeHosts),
      problem: Type.Optional(Type.Enum([...digestProblems], { type: 'string' })),
      // What was typed into a form with such a problem.
      choice: Type.Optional(Type.Enum([...digestChoices], { type: 'string' })),
      email: Type.Optional(Type.String({ maxLength: longestEmail })),
    }),
    async show({ query: { problem, choice, email: typed, ...asked }, viewer, contextIn }) {
      const settings = presentDigestSettings(await findDigestSettings(parts.database, viewer.user.id));
      const period = asked.period ?? (settings.period === 'daily' ? 'daily' : 'weekly');
      const shown = await findShown(parts, { ...asked, period }, viewer);
      const { email } = viewer.identity;
      // The host's own no-reply address is read by nobody.
      const suggested = isEmail(email) && !/noreply/i.test(email) ? email : '';
      const choosing = {
        settings,
        sendsMail: parts.mail !== null && parts.publicUrl !== undefined,
        typed: { period: choice ?? settings.period, email: typed ?? settings.email ?? suggested },
        problem: problem ?? null,
      };
      return { page: show(contextIn(undefined), { ...shown, choosing: shown.repository ? null : choosing }) };
    },
  });

async function findShown(
  parts: DigestParts,
  asked: AskedDigest & { period: DigestPeriod },
  viewer: SignedUpViewer,
): Promise<Omit<ShownDigest, 'choosing'>> {
  const digest = await readAskedDigest(parts, asked, viewer);
  const { period } = asked;
  const lengthMs = Date.parse(digest.to) - Date.parse(digest.from);
  const next = new Date(Date.parse(digest.to) + lengthMs);
  const [only] = digest.repositories;
  return {
    digest,
    period,
    before: digest.from,
    after: next <= lastPeriod(period, parts.clock()).to ? next.toISOString() : null,
    repository: asked.owner !== undefined && only ? only : null,
  };
}

/** Takes how often and where to, without scripts. What is wrong with it is told beside the form. */
export const digestForm = (parts: DigestParts) =>
  ownForm({
    body: Type.Object(
      {
        period: Type.Enum([...digestChoices], { type: 'string' }),
        email: Type.Optional(Type.String({ maxLength: longestEmail })),
      },
      { additionalProperties: false },
    ),
    async submit({ body: { period, email = '' }, viewer }) {
      const typed = email.trim();
      try {
        await takeChoice(parts, { period, email: typed === '' ? null : typed }, viewer);
        return `${digestPath}#mail`;
      } catch (error) {
        const problem = error instanceof Failure ? problemOf[error.code] : undefined;
        if (!problem) throw error;
        return `${withQuery(digestPath, { problem, choice: period, email: typed })}#mail`;
      }
    },
  });
