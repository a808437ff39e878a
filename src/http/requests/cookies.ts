import type { IncomingHttpHeaders } from 'node:http';
import { fastifyCookie } from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { intentMs, signInMs } from '../../actions/accounts/sign-in.ts';
import { absoluteLifetime } from '../../domain/accounts.ts';
import { type SecretKeys, seal, unseal } from '../../domain/secrets.ts';
import { type InterfaceLanguage, interfaceLanguages } from '../../pages/words/words.ts';
import { originOf } from './addresses.ts';

interface Browser {
  request: FastifyRequest;
  publicUrl: string | undefined;
}

const optionsFor = ({ request, publicUrl }: Browser, path = '/') =>
  ({
    path,
    httpOnly: true,
    sameSite: 'lax',
    secure: originOf(request, publicUrl).startsWith('https:'),
  }) as const;

export const sessionCookie = 'pullquote_session';

/**
 * With this prefix browsers accept the cookie only from this very host over https, so a sibling domain cannot set it.
 */
const cookieNameFor = (name: string, browser: Browser): string =>
  `${optionsFor(browser).secure ? '__Host-' : ''}${name}`;

/** Sessions from before the prefix was introduced have the plain name until they end. */
const sessionCookies = [`__Host-${sessionCookie}`, sessionCookie];

export function setSessionCookie(reply: FastifyReply, browser: Browser, token: string): void {
  clearSessionCookie(browser.request, reply);
  const options = { ...optionsFor(browser), maxAge: absoluteLifetime / 1000 };
  reply.setCookie(cookieNameFor(sessionCookie, browser), token, options);
}

export function sessionTokenOf({ cookies }: FastifyRequest): string | undefined {
  const name = sessionCookies.find((one) => cookies[one] !== undefined);
  return name && cookies[name];
}

/** Whether a request has a credential, valid or not. Other services on the same host name may set cookies too. */
export function presentsCredential({ authorization, cookie }: IncomingHttpHeaders): boolean {
  if (authorization !== undefined || cookie === undefined) return authorization !== undefined;
  const cookies = fastifyCookie.parse(cookie);
  return sessionCookies.some((name) => name in cookies);
}

const interfaceCookie = 'pullquote_interface';

const choiceSeconds = 365 * 24 * 60 * 60;

export const setInterfaceCookie = (reply: FastifyReply, browser: Browser, language: InterfaceLanguage) =>
  reply.setCookie(interfaceCookie, language, { ...optionsFor(browser), maxAge: choiceSeconds });

export function chosenInterface({ cookie }: IncomingHttpHeaders): InterfaceLanguage | undefined {
  if (!cookie?.includes(interfaceCookie)) return undefined;
  const chosen = fastifyCookie.parse(cookie)[interfaceCookie];
  return interfaceLanguages.find((code) => code === chosen);
}

const botsCookie = 'pullquote_bots';

/** Whether lists show what bots wrote, in this browser. */
export const setBotsCookie = (reply: FastifyReply, browser: Browser, areShown: boolean) =>
  areShown
    ? reply.setCookie(botsCookie, 'show', { ...optionsFor(browser), maxAge: choiceSeconds })
    : reply.clearCookie(botsCookie, optionsFor(browser));

export const showsBots = ({ cookie }: IncomingHttpHeaders): boolean =>
  cookie?.includes(botsCookie) === true && fastifyCookie.parse(cookie)[botsCookie] === 'show';

export function clearSessionCookie(request: FastifyRequest, reply: FastifyReply): void {
  for (const name of sessionCookies)
    if (request.cookies[name] !== undefined)
      reply.clearCookie(name, { path: '/', secure: name !== sessionCookie });
}

function ownCookie(name: string, lifetimeMs: number) {
  return {
    read: (browser: Browser): string | undefined => browser.request.cookies[cookieNameFor(name, browser)],
    set: (reply: FastifyReply, browser: Browser, value: string) =>
      reply.setCookie(cookieNameFor(name, browser), value, {
        ...optionsFor(browser),
        maxAge: lifetimeMs / 1000,
      }),
    clear: (reply: FastifyReply, browser: Browser) =>
      reply.clearCookie(cookieNameFor(name, browser), optionsFor(browser)),
  };
}

export const {
  read: signInCookieOf,
  set: setSignInCookie,
  clear: clearSignInCookie,
} = ownCookie('pullquote_sign_in', signInMs);

export const {
  read: intentCookieOf,
  set: setIntentCookie,
  clear: clearIntentCookie,
} = ownCookie('pullquote_intent', intentMs);

interface Handover extends Browser {
  reply: FastifyReply;
  secretKeys: SecretKeys;
  userId: string;
}

interface HandedOn {
  name: string;
  path: string;
  purpose: string;
}

export const feedSecret: HandedOn = { name: 'pullquote_feed', path: '/settings', purpose: 'feed address' };

/**
 * Invalid input of the digest form. It is kept in a cookie and not in the address, so that no link can fill in the
 * form.
 */
export const typedDigest: HandedOn = {
  name: 'pullquote_digest',
  path: '/my/digest',
  purpose: 'typed digest',
};

const maxAgeSeconds = 60;

const binding = ({ userId }: Handover, { purpose }: HandedOn) => ({ purpose, belongsTo: [userId] });

export function handOn(handover: Handover, what: HandedOn, text: string): void {
  const sealed = seal(handover.secretKeys, binding(handover, what), text);
  const options = { ...optionsFor(handover, what.path), maxAge: maxAgeSeconds };
  handover.reply.setCookie(what.name, sealed, options);
}

export function takeHandedOn(handover: Handover, what: HandedOn): string | null {
  const sealed = handover.request.cookies[what.name];
  if (sealed === undefined) return null;
  handover.reply.clearCookie(what.name, optionsFor(handover, what.path));
  return unseal(handover.secretKeys, binding(handover, what), sealed);
}
