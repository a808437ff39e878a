/** The host of a name that is said without one: the first, or, where its owner lies within another, the first whose owners do. */
export function hostMeant<Host extends { ownersNest?: boolean }>(
  hosts: Host[],
  owner: string | undefined,
): Host | undefined {
  const nesting = owner?.includes('/') ? hosts.find(({ ownersNest }) => ownersNest) : undefined;
  return nesting ?? hosts[0];
}
