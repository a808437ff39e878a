/** What keys of well-known services look like, and what is called a secret where it is set. */
const shapes = [
  /\bgh[pousr]_[A-Za-z0-9]{20,}/g,
  /\bgithub_pat_\w{20,}/g,
  /\bglpat-[\w-]{16,}/g,
  /\bsk-(?:ant-|proj-)?[\w-]{20,}/g,
  /\b[sr]k_(?:live|test)_[A-Za-z0-9]{16,}/g,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
  /\bAIza[\w-]{30,}/g,
  /\bxox[abeprs]-[\w-]{10,}/g,
  /\bnpm_[A-Za-z0-9]{30,}/g,
  /\bpql?_[\w.-]{30,}/g,
  /\beyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,}/g,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----/g,
  /(?<=(?:api[_-]?key|secret|token|passw(?:or)?d|credential)["']?\s{0,3}[:=]\s{0,3}["'])[\w/+=.-]{20,}(?=["'])/gi,
];

/** No shape is shorter; most lines of code are looked at for nothing but their length. */
const shortestKey = 12;

/** A text without what looks like a key: it goes to no model, and into no article. */
export function maskKeys(text: string): string {
  if (text.length < shortestKey) return text;
  return shapes.reduce((masked, shape) => masked.replace(shape, '[masked]'), text);
}

export const holdsKey = (text: string): boolean => maskKeys(text) !== text;
