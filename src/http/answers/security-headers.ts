/** For answers that are no pages: they need nothing, and nothing may frame them. */
const securityHeaders = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
};

const year = 365 * 24 * 60 * 60;

/** Subdomains may belong to services that have no https. */
export const securityHeadersAt = (publicUrl: string | undefined) => ({
  ...securityHeaders,
  ...(publicUrl?.startsWith('https:') && { 'strict-transport-security': `max-age=${year}` }),
});

const policy = (directives: Record<string, string>): string =>
  Object.entries(directives)
    .map(([name, value]) => `${name} ${value}`)
    .join('; ');

const ownOnly = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self'",
  'font-src': "'self'",
  'connect-src': "'self'",
  'form-action': "'self'",
  'base-uri': "'none'",
  'frame-ancestors': "'none'",
};

/** Scripts may not create markup. The referrer stays on this site: it distinguishes our forms from foreign ones. */
export const pageHeaders = (avatarOrigins: string[]) => ({
  'referrer-policy': 'same-origin',
  'content-security-policy': policy({
    ...ownOnly,
    'img-src': ["'self'", ...avatarOrigins].join(' '),
    'require-trusted-types-for': "'script'",
    'trusted-types': "'none'",
  }),
});

/** For the API reference, a third-party page that styles its parts inline. */
export const inlineStyledPageHeaders = {
  'content-security-policy': policy({
    ...ownOnly,
    'style-src': "'self' 'unsafe-inline'",
    'img-src': "'self' data:",
  }),
};
