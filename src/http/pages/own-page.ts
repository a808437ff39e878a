import type { TObject } from 'typebox';
import type { SignedUpViewer } from '../../actions/accounts/identify-bearer.ts';
import { Type } from '../../contract/type.ts';
import { signInLink, signUpLink } from '../../pages/links.ts';
import { type PageCall, page, type ShownPage } from './page.ts';

interface Definition<Query extends TObject> {
  query?: Query;
  show: (
    call: Omit<PageCall<TObject, Query>, 'params'> & { viewer: SignedUpViewer },
  ) => Promise<ShownPage> | ShownPage;
}

/** A page that is its reader's alone: a viewer who has not signed in, or not signed up, is led there and back. */
export const ownPage = <Query extends TObject>({ query, show }: Definition<Query>) =>
  page({
    params: Type.Object({}),
    ...(query && { query }),
    show: (call) => {
      const { address } = call.contextIn(undefined);
      const { viewer } = call;
      if (!viewer) return { redirectTo: signInLink(address) };
      const { user } = viewer;
      if (!user) return { redirectTo: signUpLink(address) };
      return show({ ...call, viewer: { ...viewer, user } });
    },
  });
