import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { mayOperate } from '../../actions/accounts/operators.ts';
import type { SignedUpViewer, Viewer } from '../../actions/deps.ts';
import type { CodeHost } from '../../code-hosts/code-host.ts';
import type { Operator } from '../../domain/accounts.ts';
import { Failure } from '../../domain/errors.ts';
import { chooseLanguage, preferredLanguages } from '../../domain/languages.ts';
import { Room } from '../../pages/html.ts';
import type { PageContext } from '../../pages/layout.ts';
import { interfaceLanguages, interfaceWords } from '../../pages/words/words.ts';
import { packageFolder } from '../../version.ts';
import { chosenInterface, showsBots } from '../requests/cookies.ts';
import { hideSecrets } from '../requests/observe-requests.ts';
import { pageHeaders } from '../responses/response.ts';

const folder = new URL('web/', packageFolder);

const types: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

const wellKnown = ['favicon.ico', 'apple-touch-icon.png'];

interface Asset {
  type: string;
  content: Buffer;
}

/** The files in the folder `web`, at addresses that change with their content, so that browsers cache them forever. */
export class Assets {
  readonly #files = new Map<string, Asset>();
  readonly #version: string;

  constructor() {
    for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
      const type = types[extname(name)];
      if (type) this.#files.set(name, { type, content: readFileSync(new URL(name, folder)) });
    }
    const hashes = [...this.#files].map(([name, { content }]) => name + hash('sha256', content));
    this.#version = hash('sha256', hashes.join('\n'), 'base64url').slice(0, 12);
  }

  address(file: string): string {
    if (!this.#files.has(file)) throw new Error(`The folder web has no ${file}.`);
    return `/assets/${this.#version}/${file}`;
  }

  serve(app: FastifyInstance): void {
    for (const name of wellKnown) this.#serveAtTheRoot(app, name);
    app.get<{ Params: { version: string; '*': string } }>(
      '/assets/:version/*',
      { schema: { hide: true } },
      ({ params }, reply) => {
        const file = this.#files.get(params['*']);
        if (!file) throw new Failure('NOT_FOUND', 'There is no such file.');
        // A page of another version also gets this file, but must not cache it under that version.
        if (params.version === this.#version) {
          reply.header('cache-control', 'public, max-age=31536000, immutable');
          reply.cachePolicy = { dependsOn: [], expiresAt: Number.POSITIVE_INFINITY };
        }
        return reply.type(file.type).send(file.content);
      },
    );
  }

  #serveAtTheRoot(app: FastifyInstance, name: string): void {
    const file = this.#files.get(name);
    if (!file) throw new Error(`The folder web has no ${name}.`);
    app.get(`/${name}`, { schema: { hide: true } }, (_request, reply) => {
      reply.cachePolicy = { dependsOn: [], expiresAt: Number.POSITIVE_INFINITY };
      return reply.type(file.type).header('cache-control', 'public, max-age=86400').send(file.content);
    });
  }
}

interface ContextOptions {
  codeHosts: CodeHost[];
  publicUrl: string | undefined;
  contactUrl: string | undefined;
  hostAvatars: boolean;
  operators: Operator[];
  languages: () => string[];
  currentModels: () => PageContext['models'];
  countNew: (viewer: SignedUpViewer, isByPeople: boolean) => Promise<number>;
  assets: Assets;
}

export class PageContexts {
  readonly headers: Record<string, string>;
  readonly #options: ContextOptions;
  readonly #avatarOrigins: string[];

  constructor(options: ContextOptions) {
    this.#options = options;
    this.#avatarOrigins = options.hostAvatars ? options.codeHosts.flatMap((host) => host.avatarOrigins) : [];
    this.headers = pageHeaders(this.#avatarOrigins);
  }

  readonly #counts = new WeakMap<FastifyRequest, number>();

  /** Counts what is new for the reader, for the menu. */
  async countNew(request: FastifyRequest): Promise<void> {
    const { viewer } = request;
    if (!viewer?.user) return;
    const count = await this.#options.countNew({ ...viewer, user: viewer.user }, !showsBots(request.headers));
    this.#counts.set(request, count);
  }

  acceptLanguage({ headers }: FastifyRequest): string {
    return preferredLanguages(headers['accept-language']);
  }

  contextFor(request: FastifyRequest, wanted: string | undefined): PageContext {
    const { codeHosts, publicUrl, contactUrl, languages, currentModels, assets } = this.#options;
    const { viewer } = request;
    const own = viewer?.user?.language;
    const setting = viewer?.user?.interfaceLanguage ?? chosenInterface(request.headers);
    const wish = {
      requested: undefined,
      own: [setting, own].find((wished) => interfaceLanguages.some((code) => code === wished)),
      acceptLanguage: [this.acceptLanguage(request), wanted].filter(Boolean).join(', '),
    };
    const chosen = chooseLanguage([...interfaceLanguages], wish);
    const language = interfaceLanguages.find((code) => code === chosen) ?? 'en';
    return {
      language,
      words: interfaceWords[language],
      viewer: viewer && this.#present(viewer, this.#counts.get(request) ?? 0),
      isReadOnly: request.isReadOnly,
      showsBots: showsBots(request.headers),
      address: isOwnAddress(request.url) ? request.url : '/',
      publicUrl: publicUrl ?? null,
      firstHost: codeHosts[0]?.id ?? '',
      writesIn: languages(),
      contactUrl: contactUrl ?? null,
      models: currentModels(),
      asset: (file) => assets.address(file),
      room: new Room(),
    };
  }

  #present(viewer: Viewer, newCount: number): PageContext['viewer'] {
    const { identity, user } = viewer;
    const { avatarUrl, hostUsername } = identity;
    const isAllowed = avatarUrl !== null && this.#avatarOrigins.includes(URL.parse(avatarUrl)?.origin ?? '');
    const avatar = isAllowed ? avatarUrl : user && `/avatars/${user.id}.svg`;
    return {
      name: hostUsername,
      language: user?.language ?? null,
      avatar,
      mayAdd: mayOperate(this.#options, viewer),
      newCount,
    };
  }
}

/** Other addresses would lead to another service or reveal a secret. */
const isOwnAddress = (url: string): boolean => /^\/(?![/\\])/.test(url) && hideSecrets(url) === url;
