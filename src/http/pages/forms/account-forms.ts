import { makeFeedAddress } from '../../../actions/accounts/feed-address.ts';
import { signUp } from '../../../actions/accounts/sign-up.ts';
import { LanguageCode } from '../../../contract/formats.ts';
import { Type } from '../../../contract/type.ts';
import { deleteFeedAddress } from '../../../db/feeds.ts';
import { updateLanguage } from '../../../db/users.ts';
import { accountGone } from '../../../domain/errors.ts';
import { safeReturnPath } from '../../../domain/return-path.ts';
import { signInLink } from '../../../pages/links.ts';
import type { Deps } from '../../deps.ts';
import { feedSecret, handOn } from '../../requests/sealed-cookie.ts';
import { clearSessionCookie } from '../../requests/session-cookie.ts';
import { backQuery } from '../back.ts';
import { form, ownForm } from '../form.ts';

const languageBody = Type.Object({ language: LanguageCode() }, { additionalProperties: false });

/** Signs a visitor up who is signed in, and leads them back. */
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

/** Makes an address for the user's feed, which the page that follows shows once. */
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
