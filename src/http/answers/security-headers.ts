/** For answers that are no pages: they need nothing, and nothing may frame them. */
export const securityHeaders = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
};

/** Pages load only what we serve ourselves, and no other site may frame them. Pictures may be avatars of a host. */
const policyWithoutStyles =
  "default-src 'none'; script-src 'self'; img-src 'self' data: https:; connect-src 'self'; form-action 'self'; " +
  "base-uri 'none'; frame-ancestors 'none'";

export const pageHeaders = { 'content-security-policy': `${policyWithoutStyles}; style-src 'self'` };

/** For a page that styles its parts inline. */
export const inlineStyledPageHeaders = {
  'content-security-policy': `${policyWithoutStyles}; style-src 'self' 'unsafe-inline'`,
};
