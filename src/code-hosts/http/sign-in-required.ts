import type { HostRepository } from '../code-host.ts';
import { asNobody } from './call-as.ts';
import type { HostCaller } from './host-api.ts';

/** Whether a server shows anything without a token hardly ever changes; what it then hides is noticed with the next renewal anyway. */
const rememberedMs = 60 * 60 * 1000;

interface Parts {
  /** Whether it is known beforehand that a server shows what is public to everybody, or its operator wants it shown. */
  isOpen: boolean;
  /** Whether a repository shows to a caller without a token. */
  shows: (repository: HostRepository, nobody: HostCaller) => Promise<boolean>;
  clock: () => Date;
}

/**
 * Where everybody has to sign in, "public" is what every account there may see. What a user's token shows as public is public only
 * where the server shows anything without a token, or its operator has given the service one.
 */
export function createSignInCheck({ isOpen, shows, clock }: Parts) {
  let openUntil = 0;
  return async (repository: HostRepository, { isService, signal }: HostCaller): Promise<HostRepository> => {
    const isSure = isService || repository.isPrivate || isOpen;
    if (isSure || openUntil > clock().getTime()) return repository;
    if (!(await shows(repository, asNobody({ signal })))) return { ...repository, isPrivate: true };
    openUntil = clock().getTime() + rememberedMs;
    return repository;
  };
}
