/** How a token of a host is saved, for messages that tell users to: without a name, the host that a user is of is meant. */
export const savingToken = (host: string): string => `POST /auth/host-token?host=${host}`;
