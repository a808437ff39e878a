import type { Identity } from './identity.ts';

/**
 * The operator at the command line of the service, as a user whom no credential proves anybody to be: no code host has this id.
 * They see every clone, and of other hosts what is public.
 */
export const operatorIdentity: Identity = {
  host: 'operator',
  hostUserId: 0,
  hostUsername: 'operator',
  hostDisplayName: 'Operator',
  email: 'operator@users.noreply.invalid',
  avatarUrl: null,
};

export const isOperator = ({ host }: Pick<Identity, 'host'>): boolean => host === operatorIdentity.host;
