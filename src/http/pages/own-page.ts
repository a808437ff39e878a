import type { TObject } from 'typebox';
import type { SignedUpViewer } from '../../actions/accounts/identify-bearer.ts';
import { Type } from '../../contract/type.ts';
import { signInLink, signUpLink } from '../../pages/links.ts';
import { type PageCall, page, type Redirection, type ShownPage } from './page.ts';

type Show<Query extends TObject> = (
  call: Omit<PageCall<TObject, Query>, 'params'> & { viewer: SignedUpViewer },
) => Promise<ShownPage> | ShownPage;

/** A page that is its reader's alone: a viewer who has not signed in, or not signed up, is led there and back. */
export const ownPage = <Query extends TObject>({ query, show }: { query?: Query; show: Show<Query> }) =>
  page({ params: Type.Object({}), ...(query && { query }), show: forReader(show) });

/** The same for a page of which only a part is its reader's alone. */
export const forReader =
  <Query extends TObject>(show: Show<Query>) =>
  (call: Omit<PageCall<TObject, Query>, 'params'>): Promise<ShownPage> | ShownPage | Redirection => {
    const { address } = call.contextIn(undefined);
    const { viewer } = call;
    if (!viewer) return { redirectTo: signInLink(address) };
    const { user } = viewer;
    if (!user) return { redirectTo: signUpLink(address) };
    return show({ ...call, viewer: { ...viewer, user } });
  };
