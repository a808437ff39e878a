import { visibleText } from './visible-text.ts';

const named: Record<string, string> = {
  amp: '&',
  apos: "'",
  copy: '©',
  gt: '>',
  hellip: '…',
  larr: '←',
  laquo: '«',
  ldquo: '“',
  le: '≤',
  ge: '≥',
  lsquo: '‘',
  lt: '<',
  mdash: '—',
  middot: '·',
  nbsp: ' ',
  ndash: '–',
  ne: '≠',
  quot: '"',
  raquo: '»',
  rarr: '→',
  rdquo: '”',
  rsquo: '’',
  times: '×',
  zwj: '',
  zwnj: '',
};

/** The character that an HTML entity stands for, nothing if it cannot be seen, and the entity itself if unknown. */
export function decodeEntity(entity: string): string {
  const name = entity.slice(1, -1);
  if (!name.startsWith('#')) return named[name] ?? entity;
  const code = /^#[xX]/.test(name) ? Number.parseInt(name.slice(2), 16) : Number.parseInt(name.slice(1), 10);
  if (!(code > 0 && code <= 0x10ffff)) return '';
  return visibleText(String.fromCodePoint(code));
}
