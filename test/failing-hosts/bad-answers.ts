import { gzipSync } from 'node:zlib';
import { type BadAnswer, json, raw, say, spoilt } from './failing-host.ts';

const mebibyte = 1024 * 1024;

const page = { 'content-type': 'text/html' };
const useless = { status: 502, code: 'HOST_ERROR' };
const refused = { status: 409, code: 'HOST_TOKEN_INVALID', nobody: 'absent' };
const absent = { status: 404, code: 'PULL_REQUEST_NOT_FOUND', nobody: 'absent' };
/** A compressed response that is larger than any limit. */
export const bomb = gzipSync(Buffer.alloc(25 * mebibyte, ' '));
const limited = (seconds: number) => ({ status: 503, code: 'HOST_RATE_LIMITED', seconds });

/**
 * Responses that any host may give; their rate limit headers have the host's own prefix and use the clock of the
 * service.
 */
export function badAnswers(limits: string, now: Date): BadAnswer[] {
  const inSeconds = (seconds: number) => Math.floor(now.getTime() / 1000) + seconds;
  const usedUp = (reset: string | number, remaining: string | number = 0) => ({
    [`${limits}limit`]: 60,
    [`${limits}remaining`]: remaining,
    [`${limits}reset`]: reset,
  });
  const led = (location: string) => say(302, {}, { location });
  return [
    {
      name: '429',
      answer: say(429, {}, { 'retry-after': 7 }),
      ...limited(7),
      nobody: 'HOST_RATE_LIMITED',
    },
    { name: '429 without a time', answer: say(429), ...limited(60) },
    {
      name: '429 with a date',
      answer: say(429, {}, { 'retry-after': new Date(inSeconds(42) * 1000).toUTCString() }),
      ...limited(42),
    },
    ...['-5', '', '1e1', '9'.repeat(400)].map((given) => ({
      name: `429 to be asked again in ‘${given.slice(0, 9)}’`,
      answer: say(429, {}, { 'retry-after': given }),
      ...limited(60),
    })),
    { name: '429 for years', answer: say(429, {}, { 'retry-after': 999_999_999_999 }), ...limited(3600) },
    { name: '429 with its limit', answer: say(429, {}, usedUp(inSeconds(90))), ...limited(90) },
    { name: '429 until the year 5138', answer: say(429, {}, usedUp(99_999_999_999)), ...limited(3600) },
    ...['', '1e999', String(inSeconds(-50))].map((reset) => ({
      name: `429 with a limit until ‘${reset}’`,
      answer: say(429, {}, usedUp(reset)),
      ...limited(60),
    })),
    { name: '403 for its limit', answer: say(403, {}, usedUp(inSeconds(90))), ...limited(90) },
    { name: '403 with a time', answer: say(403, {}, { 'retry-after': 30 }), ...limited(30) },
    { name: '503 with a time', answer: say(503, {}, { 'retry-after': 20 }), ...limited(20) },
    { name: '401', answer: say(401, { message: 'Unauthorized' }), ...refused },
    { name: '401 of a proxy', answer: raw('<html>', page, 401), ...refused },
    { name: '403 of a proxy', answer: raw('<html>', page, 403), ...refused },
    {
      name: '403 with limits that say nothing',
      answer: raw('<html>', { ...page, ...usedUp('', '-1'), [`${limits}limit`]: '' }, 403),
      ...refused,
    },
    ...[404, 410, 451].map((status) => ({ name: String(status), answer: say(status), ...absent })),
    ...[500, 503].map((status) => ({
      name: String(status),
      answer: say(status),
      ...useless,
      nobody: 'HOST_ERROR',
    })),
    {
      name: '502 with what it was asked',
      answer: (response, _pass, request) =>
        void response.writeHead(502, { 'content-type': 'text/plain' }).end(JSON.stringify(request.headers)),
      ...useless,
    },
    { name: '502 of a proxy', answer: raw('<html>', page, 502), ...useless },
    { name: 'a page for people', answer: raw('<html>', page), ...useless, nobody: 'HOST_ERROR' },
    { name: 'nothing', answer: raw(''), ...useless },
    { name: '204', answer: (response) => void response.writeHead(204).end(), ...useless },
    { name: 'null', answer: raw('null'), ...useless },
    { name: 'half of some JSON', answer: raw('{"id": 1, "ti'), ...useless },
    { name: 'lists within lists', answer: raw('['.repeat(200_000)), ...useless },
    { name: 'another thing', answer: raw('{"id":"one","iid":"one","number":"one"}'), ...useless },
    { name: 'a list in place of one', answer: raw('[]'), ...useless },
    { name: 'more values than are read', answer: raw(`[${'{},'.repeat(130_000)}{}]`), ...useless },
    { name: 'bytes that are no text', answer: raw(Buffer.alloc(100, 0xff)), ...useless },
    { name: 'and breaks off', answer: spoilt(() => null), ...useless },
    {
      name: 'a bomb',
      answer: raw(bomb, { ...json, 'content-encoding': 'gzip' }),
      ...useless,
    },
    {
      name: 'without an end',
      answer: (response) => {
        const more = () => void (response.destroyed || response.write(Buffer.alloc(mebibyte, ' '), more));
        response.writeHead(200, json);
        more();
      },
      ...useless,
    },
    {
      name: 'in a packing that nobody knows',
      answer: raw('x', { ...json, 'content-encoding': 'gzip' }),
      ...useless,
    },
    {
      name: 'a redirect to where clouds keep secrets',
      answer: led('http://169.254.169.254/latest'),
      ...useless,
    },
    {
      name: 'a redirect to itself',
      answer: (response, pass, request) => led(request.url ?? '')(response, pass, request),
      ...useless,
    },
    {
      name: 'a redirect to itself, without TLS',
      answer: (response, pass, request) =>
        led(`http://${request.headers.host}${request.url}`)(response, pass, request),
      ...useless,
    },
    ...['', 'javascript:alert(1)', 'https://', '//'].map((location) => ({
      name: `a redirect to ‘${location}’`,
      answer: led(location),
      ...useless,
    })),
    { name: 'a redirect to nowhere', answer: say(302), ...useless },
  ];
}
