import { isImportLine } from '../../reading/compare/units.ts';
import type { UnitChange } from '../../reading/facts.ts';

/** What a statement does, the weightiest first. */
export type Deed =
  | 'throw'
  | 'condition'
  | 'return'
  | 'declaration'
  | 'loop'
  | 'call'
  | 'value'
  | 'text'
  | 'comment'
  | 'import'
  | 'closing'
  /** The same as before, with other blanks: it is shown only beside what is not. */
  | 'layout';

export const weightOfDeed: Record<Deed, number> = {
  throw: 10,
  condition: 7,
  return: 6,
  declaration: 5,
  loop: 4,
  call: 3.5,
  value: 3,
  text: 2,
  comment: 0.6,
  import: 0.3,
  closing: 0.1,
  layout: 0.1,
};

/** Whether a statement says something by itself: comments, imports, brackets and layout go with others. */
export const isNews = ({ deed }: { deed: Deed }): boolean =>
  deed !== 'comment' && deed !== 'import' && deed !== 'closing' && deed !== 'layout';

const patterns: [Deed, RegExp][] = [
  ['closing', /^[\s)\]}>;,]*(?:end|fi|done|esac|else:?|pass)?[\s)\]}{;,]*$/],
  [
    'throw',
    /^\s*(?:throw\b|raise\b|panic!?\(|abort\(|die\b)|\b(?:Err\(|bail!\(|anyhow!\(|fmt\.Errorf\(|errors\.New\(|Promise\.reject\()|\bthrow new\b/,
  ],
  ['condition', /^\s*(?:\}?\s*else\s+if|\}?\s*elif|\}?\s*elsif|if|unless|switch|match|case|when|guard)\b/],
  ['return', /^\s*(?:return|yield)\b/],
  [
    'declaration',
    /^\s*(?:(?:export|default|public|private|protected|internal|static|final|abstract|async|pub(?:\([^)]*\))?|unsafe|override|open|inline|virtual|const)\s+)*(?:function|class|interface|type|enum|struct|trait|impl|def|fn|func|fun|module|namespace|protocol|record|object)\b/,
  ],
  ['loop', /^\s*(?:for|while|loop|do|foreach|until)\b/],
  [
    'value',
    /^\s*(?:const|let|var|val|my|our|local|final)?\s*[\w$.[\]'"@*&<>,: -]+?\s*(?::=|\+=|-=|\|\|=|\?\?=|=(?![=>~]))\s*\S/,
  ],
  ['call', /[\w$)\]]\s*!?\(/],
];

/** What a statement does, by how it begins. */
export function deedOf(text: string, of: UnitChange['of']): Deed {
  if (of === 'comment') return 'comment';
  if (of === 'text') return /^\s*(?:```|~~~|-{3,}|={3,})/.test(text) ? 'closing' : 'text';
  if (of === 'import' || isImportLine(text)) return 'import';
  return patterns.find(([, pattern]) => pattern.test(text))?.[0] ?? 'value';
}
