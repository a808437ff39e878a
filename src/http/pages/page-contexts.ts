import type { FastifyRequest } from 'fastify';
import type { Viewer } from '../../actions/accounts/identify-bearer.ts';
import type { CodeHost } from '../../code-hosts/code-host.ts';
import { chooseLanguage, preferredLanguages } from '../../domain/choose-language.ts';
import type { PageContext, PageViewer } from '../../pages/page-context.ts';
import { interfaceLanguages, interfaceWords } from '../../pages/words/interface-languages.ts';
import { pageHeaders } from '../answers/security-headers.ts';
import { hideSecrets } from '../requests/hide-secrets.ts';
import type { Assets } from './assets.ts';

interface ContextOptions {
  codeHosts: CodeHost[];
  publicUrl: string | undefined;
  hostAvatars: boolean;
  languages: string[];
  assets: Assets;
}

/** Knows what every page is made with. */
export class PageContexts {
  readonly headers: Record<string, string>;
  readonly #options: ContextOptions;
  readonly #avatarOrigins: string[];

  constructor(options: ContextOptions) {
    this.#options = options;
    this.#avatarOrigins = options.hostAvatars ? options.codeHosts.flatMap((host) => host.avatarOrigins) : [];
    this.headers = pageHeaders(this.#avatarOrigins);
  }

  /** What a browser says of the languages it wants, in the form that pages are kept under. */
  acceptLanguage({ headers }: FastifyRequest): string {
    return preferredLanguages(headers['accept-language']);
  }

  /** The page speaks the language asked for, if it can, or else the one that suits its reader best. */
  contextFor(request: FastifyRequest, asked: string | undefined): PageContext {
    const { codeHosts, publicUrl, languages, assets } = this.#options;
    const { viewer } = request;
    const own = viewer?.user?.language;
    const isSpoken = interfaceLanguages.some((code) => code === asked);
    const wish = {
      asked: undefined,
      own: isSpoken ? asked : own,
      acceptLanguage: this.acceptLanguage(request),
    };
    const chosen = chooseLanguage([...interfaceLanguages], wish);
    const language = interfaceLanguages.find((code) => code === chosen) ?? 'en';
    return {
      language,
      words: interfaceWords[language],
      viewer: viewer && this.#present(viewer),
      address: isOwnAddress(request.url) ? request.url : '/',
      publicUrl: publicUrl ?? null,
      firstHost: codeHosts[0]?.id ?? '',
      writesIn: languages,
      asset: (file) => assets.address(file),
    };
  }

  #present({ identity, user }: Viewer): PageViewer {
    const { avatarUrl, hostUsername } = identity;
    const isAllowed = avatarUrl !== null && this.#avatarOrigins.includes(URL.parse(avatarUrl)?.origin ?? '');
    const avatar = isAllowed ? avatarUrl : user && `/avatars/${user.id}.svg`;
    return { name: hostUsername, language: user?.language ?? null, avatar };
  }
}

/** Anything else would lead to another service, or hand a secret on. */
const isOwnAddress = (url: string): boolean => /^\/(?![/\\])/.test(url) && hideSecrets(url) === url;
