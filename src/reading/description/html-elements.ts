import { foldSpace } from '../fold-space.ts';
import { pictureSign, type Tag } from './markup-piece.ts';

/** What a description loses when one of these is taken out is a picture, a player or a program, never a sentence. */
const withoutText = new Set(
  'audio canvas iframe math noscript object picture script style svg template video'.split(' '),
);

/** Their closing tag may be left out, so that standing alone they are still markup and not the talk of the author. */
const mayStayOpen = new Set(
  'br dd dt hr img input li p source summary tbody td tfoot th thead tr wbr'.split(' '),
);

const inline = new Set(
  'a abbr b bdi bdo big cite del dfn em font i ins label mark q s small span strike strong sub sup u var'.split(
    ' ',
  ),
);

const block = new Set(
  'address article aside blockquote body button caption center col colgroup dd details div dl dt fieldset figcaption figure footer form g-emoji head header html legend li link main meta nav ol option p path section select table tbody textarea tfoot thead title tr ul'.split(
    ' ',
  ),
);

/** Elements that take no line of their own, and have no text either. */
const withoutBlock = new Set(['g-emoji', 'wbr', 'input']);

const code = new Set(['code', 'kbd', 'samp', 'tt']);
const heading = /^h([1-6])$/;

/** Collapsed by robots, or to spare the reader a log: nothing in it is the author's account of the change. */
const foldedAway =
  /^\W*(?:release notes|changelog|commits|dependabot|most recent ignore|original prompt|maintainer changes|.{0,30}\blogs?\b|.{0,20}\boutput\b|stack ?trace|.{0,20}\bscreenshots?\b|.{0,20}\bscreen ?recording|walkthrough|.{0,20}coderabbit|.{0,20}instructions|.{0,40}tips?\b|.{0,20}codecov|upgrade guide|files? (?:walkthrough|changed)|.{0,20}\bbenchmarks?\b|环境|ログ)/i;

const hiddenAttribute = /(?:^|\s)(?:hidden|aria-hidden\s*=\s*["']?true)(?:$|[\s="'])/i;
const hidingStyle =
  /(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|opacity\s*:\s*0(?:[;"'\s.]|$)|font-size\s*:\s*0|(?:max-)?(?:width|height)\s*:\s*0(?:[;"'\sp]|$)|clip\s*:|text-indent\s*:\s*-)/i;

export function isKnownElement(name: string): boolean {
  return (
    withoutText.has(name) ||
    inline.has(name) ||
    block.has(name) ||
    code.has(name) ||
    mayStayOpen.has(name) ||
    heading.test(name) ||
    name === 'pre'
  );
}

export function mayStandAlone(name: string): boolean {
  return mayStayOpen.has(name);
}

export function hasNoText(name: string): boolean {
  return withoutText.has(name);
}

/** Whether its text was taken back by the author. */
export function isStruckOut(name: string): boolean {
  return name === 'del' || name === 's' || name === 'strike';
}

export function isHidden(tag: Tag): boolean {
  if (!tag.attributes) return false;
  return hiddenAttribute.test(tag.attributes) || hidingStyle.test(tag.attributes);
}

export function isFoldedAway(summary: string): boolean {
  return foldedAway.test(foldSpace(summary).slice(0, 200));
}

/** What an element does to the text that it stands in. */
type ElementRole =
  | { kind: 'inline' | 'code' | 'rule' | 'pre' | 'item' | 'block' }
  | { kind: 'heading'; level: number }
  /** It leaves a mark where it opens or closes. */
  | { kind: 'mark'; open: string; close: string };

const roles: Record<string, ElementRole> = {
  img: { kind: 'mark', open: pictureSign, close: '' },
  br: { kind: 'mark', open: '\n', close: '\n' },
  tr: { kind: 'mark', open: '\n', close: '\n' },
  td: { kind: 'mark', open: '| ', close: ' ' },
  th: { kind: 'mark', open: '| ', close: ' ' },
  hr: { kind: 'rule' },
  pre: { kind: 'pre' },
  li: { kind: 'item' },
  summary: { kind: 'heading', level: 6 },
};

export function elementRole(name: string): ElementRole {
  if (code.has(name)) return { kind: 'code' };
  if (inline.has(name) || withoutBlock.has(name)) return { kind: 'inline' };
  const level = heading.exec(name)?.[1];
  if (level) return { kind: 'heading', level: Number(level) };
  return roles[name] ?? { kind: 'block' };
}
