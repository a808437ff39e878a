/** Pages load only what we serve ourselves, and no other site may frame them. Pictures may be avatars of a host. */
export const contentSecurityPolicy =
  "default-src 'none'; script-src 'self'; img-src 'self' data: https:; connect-src 'self'; form-action 'self'; " +
  "base-uri 'none'; frame-ancestors 'none'";

export const securityHeaders = {
  'content-security-policy': `${contentSecurityPolicy}; style-src 'self'`,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
};
