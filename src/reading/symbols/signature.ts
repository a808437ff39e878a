import { foldSpace } from '../../domain/text.ts';
import type { SignatureEdit } from '../facts.ts';

export function compareSignatures(
  before: { signature: string; name: string },
  after: { signature: string; name: string },
  language: string | null,
): SignatureEdit[] | null {
  const old = parseSignature(before.signature, before.name, language);
  const current = parseSignature(after.signature, after.name, language);
  if (!old || !current || isAnnotated(before) !== isAnnotated(after)) return null;
  const isNamed = [old, current].every(({ parameters }) => parameters.every(({ name }) => name !== ''));
  if (language === 'Ruby' && !isNamed) return null;
  const edits = isNamed ? compareParameters(old.parameters, current.parameters) : [];
  if (old.returns !== current.returns)
    edits.push({ kind: 'returns', from: old.returns, to: current.returns });
  return edits;
}

const isAnnotated = ({ signature, name }: { signature: string; name: string }): boolean =>
  /^[?!]?\s*:[^=]*=>.*=\s*(?:async\b\s*)?\(/.test(signature.slice(signature.indexOf(name) + name.length));

function compareParameters(old: Parameter[], current: Parameter[]): SignatureEdit[] {
  const edits: SignatureEdit[] = [];
  const had = new Map(old.map((parameter) => [parameter.name, parameter]));
  const has = new Set(current.map(({ name }) => name));
  const gone = old.filter(({ name }) => !has.has(name));
  const fresh = current.filter(({ name }) => !had.has(name));
  for (const parameter of current) {
    const before = had.get(parameter.name);
    if (before) edits.push(...compareParameter(before, parameter));
  }
  const isRenamed = (one: Parameter, other: Parameter): boolean =>
    old.length === current.length &&
    old.indexOf(one) === current.indexOf(other) &&
    // A parameter with another type is another parameter, unless it is named after its type.
    (one.type === other.type || (one.type === one.name && other.type === other.name));
  for (const parameter of fresh) {
    const index = gone.findIndex((other) => isRenamed(other, parameter));
    const [was] = index < 0 ? [] : gone.splice(index, 1);
    if (was)
      edits.push(
        { kind: 'parameterRenamed', from: was.name, to: parameter.name },
        ...compareParameter(was, parameter),
      );
    else {
      const { name, type, isOptional } = parameter;
      edits.push({ kind: 'parameterAdded', name, type, isOptional });
    }
  }
  for (const { name, type } of gone) edits.push({ kind: 'parameterRemoved', name, type });
  return edits;
}

function compareParameter(before: Parameter, after: Parameter): SignatureEdit[] {
  const { name } = after;
  const edits: SignatureEdit[] = [];
  if (before.type !== after.type)
    edits.push({ kind: 'parameterType', name, from: before.type, to: after.type });
  if (before.default !== after.default && before.default !== null && after.default !== null)
    edits.push({ kind: 'default', name, from: before.default, to: after.default });
  return edits;
}

interface Parameter {
  name: string;
  type: string;
  default: string | null;
  isOptional: boolean;
}

interface Signature {
  parameters: Parameter[];
  returns: string;
}

const typeFirst: ReadonlySet<string> = new Set(['C', 'C++', 'CUDA', 'C#', 'Java', 'PHP', 'Dart', 'Groovy']);

function parseSignature(signature: string, name: string, language: string | null): Signature | null {
  if (signature.includes('…') || language === 'Elixir') return null;
  const at = placeOfName(signature, name);
  const open = at < 0 ? -1 : openOf(signature, at + name.length);
  const close = open < 0 ? -1 : endOfBrackets(signature, open);
  if (close < 0) return null;
  const parts = splitAtCommas(signature.slice(open + 1, close));
  const parameters = language === 'Go' ? inGo(parts) : parts.flatMap((part) => parameterOf(part, language));
  const returns = returnsOf(signature, at, close, language);
  return { parameters, returns };
}

function placeOfName(signature: string, name: string): number {
  const pattern = new RegExp(`(?<![\\w$])${name.replace(/[$#~]/g, '\\$&')}(?![\\w$])`);
  return pattern.exec(signature)?.index ?? -1;
}

/** The beginning of the parameters after a name; -1 if the first bracket belongs to a type parameter or a call. */
function openOf(signature: string, end: number): number {
  const own = skipTypes(signature, end);
  if (!/^\s*[:=]/.test(signature.slice(own))) return signature.indexOf('(', own);
  // The parameters of an assigned function are after the equals sign, whatever its type says.
  const [declared, given] = splitAtAssignment(signature.slice(own));
  if (given === null) return signature.indexOf('(', own);
  const sign = signature.indexOf('=', own + declared.length) + 1;
  const [head = ''] =
    /^\s*(?:async\b\s*)?(?:function\b\s*\*?\s*[\w$]*\s*)?/.exec(signature.slice(sign)) ?? [];
  const open = skipTypes(signature, sign + head.length);
  return signature[open] === '(' ? open : -1;
}

function skipTypes(signature: string, from: number): number {
  const at = from + (/^[?!]?\s*/.exec(signature.slice(from))?.[0].length ?? 0);
  const close = /^[<[]/.test(signature.slice(at)) ? endOfBrackets(signature, at) : -1;
  return close < 0 ? at : close + 1;
}

function* withDepth(text: string, from = 0): Generator<[at: number, character: string, depth: number]> {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    const character = text.charAt(at);
    const isArrow = character === '>' && '=-'.includes(text[at - 1] ?? ' ');
    if ('([{<'.includes(character)) depth++;
    else if (')]}>'.includes(character) && !isArrow) depth--;
    yield [at, character, depth];
  }
}

function endOfBrackets(text: string, open: number): number {
  for (const [at, , depth] of withDepth(text, open)) if (depth === 0) return at;
  return -1;
}

function splitAtCommas(text: string): string[] {
  const parts: string[] = [];
  let start = 0;
  for (const [at, character, depth] of withDepth(text)) {
    if (character !== ',' || depth !== 0) continue;
    parts.push(text.slice(start, at));
    start = at + 1;
  }
  return [...parts, text.slice(start)].map((part) => part.trim()).filter((part) => part !== '');
}

const modifiers =
  /^(?:(?:@\w[\w.]*(?:\([^)]*\))?|\[[^\]]*\]|#\[[^\]]*\])\s+)*(?:(?:public|private|protected|readonly|final|const|mut|this|ref|out|in|vararg|noinline|crossinline|inout)\s+)*/;

function parameterOf(text: string, language: string | null): Parameter[] {
  const plain = text.replace(modifiers, '');
  if (/^(?:&?\s*(?:'\w+\s+)?(?:mut\s+)?self|cls|self|void)\b(?!\s*[:\w])|^[*/]$/.test(plain)) return [];
  // Keyword arguments in Ruby have their default after a colon.
  const [, keyword, value = ''] = (language === 'Ruby' && /^(\w+):\s*(.*)$/.exec(plain)) || [];
  if (keyword !== undefined)
    return [{ name: keyword, type: '', default: value || null, isOptional: value !== '' }];
  const [declared = '', given] = splitAtAssignment(plain);
  const isOptional =
    given !== null ||
    (!typeFirst.has(language ?? '') && /^[\w$]+\?/.test(declared)) ||
    (language === 'C#' && /^params\s/.test(text)) ||
    /^(?:\*\*?|\.\.\.)/.test(declared) ||
    (language === 'Ruby' && declared.startsWith('&'));
  if (typeFirst.has(language ?? '')) {
    const [, type = '', name] = /^(.*?[\s*&])?(\.{0,3}[\w$]+)(?:\[\d*\])?$/.exec(declared) ?? [];
    // In PHP a parameter with the default null is nullable, whether or not its type says so.
    const isNull = language === 'PHP' && given?.toLowerCase() === 'null';
    const ofType = isNull ? type.replace(/^\?|\|null\b|\bnull\|/gi, '') : type;
    return name ? [{ name, type: foldSpace(ofType), default: given, isOptional }] : [];
  }
  const end = /^[{[(]/.test(declared) ? endOfBrackets(declared, 0) + 1 : declared.search(/\??:/);
  const label = (end <= 0 ? declared : declared.slice(0, end)).trim();
  const name = /^[{[(]/.test(label)
    ? label
    : (label.split(/\s+/).at(-1) ?? label).replace(/^(?:\*\*?|\.\.\.)/, '');
  // The name is inside a pattern that destructures the value.
  const inner = /^\w+\(\s*(?:mut\s+)?(\w+)\s*\)$/.exec(name)?.[1];
  const type = end <= 0 ? '' : declared.slice(end).replace(/^\s*(?:\?\s*)?:\s*/, '');
  // An optional parameter may be undefined, whether or not its type says so.
  const ofType = isOptional ? type.replace(/(?<!\s)\s*\|\s*undefined$/, '') : type;
  return [{ name: inner ?? name, type: foldSpace(ofType), default: given, isOptional }];
}

function splitAtAssignment(text: string): [string, string | null] {
  for (const [at, character, depth] of withDepth(text))
    if (character === '=' && depth === 0 && text[at + 1] !== '>' && text[at + 1] !== '=')
      return [text.slice(0, at).trim(), text.slice(at + 1).trim()];
  return [text, null];
}

/** In Go several names may share the type after the last of them, or have no names at all. */
function inGo(parts: string[]): Parameter[] {
  const isNamed = parts.some(
    (part) => /^\w+ \S/.test(part) && !/^(?:chan|func|map|struct|interface)\b/.test(part),
  );
  let type = '';
  return parts
    .toReversed()
    .map((part): Parameter => {
      const [, name = '', own] = (isNamed && /^(\w+)(?: (.+))?$/.exec(part)) || [];
      if (own !== undefined) type = foldSpace(own);
      const isOptional = type.startsWith('...');
      return { name, type: isNamed ? type : foldSpace(part), default: null, isOptional };
    })
    .toReversed();
}

function returnsOf(signature: string, name: number, close: number, language: string | null): string {
  const behind = signature.slice(close + 1);
  if (language === 'Go') {
    const text = behind.replace(/\{\s*$/, '').trim();
    if (!text.startsWith('(')) return foldSpace(text);
    const types = inGo(splitAtCommas(text.slice(1, -1))).map(({ type }) => type);
    return types.length === 1 ? (types[0] ?? '') : `(${types.join(', ')})`;
  }
  const isBefore = typeFirst.has(language ?? '') && language !== 'PHP';
  const [head = ''] = splitAtAssignment(isBefore ? behind.replace(/^[^>]*?:.*$/, '') : behind);
  const arrow = ownReturn.exec(behindParameters(head))?.[1];
  if (arrow !== undefined) return foldSpace(arrow);
  return isBefore ? foldSpace(signature.slice(0, name).replace(annotations, '').replace(notTypes, '')) : '';
}

/** The return type is after the function's own arrow. Other arrows belong to bounds, such as `where F: Fn() -> T`. */
const ownReturn =
  /^\s*(?:(?:async|throws|rethrows|reasync|const|volatile|noexcept|override|final|mutable)\b(?:\([^()]*\))?\s*|&{1,2}\s*)*(?:->|:)\s*(?!where\b)(.+?)\s*(?:=>|\bwhere\b.*|\{|:|$)*$/;

/** Some languages have several parameter lists, or a list of captured variables. */
function behindParameters(text: string): string {
  const rest = text.replace(/^\s*(?:use\s*)?(?=\()/, '');
  const close = rest.startsWith('(') ? endOfBrackets(rest, 0) : -1;
  return close < 0 ? rest : behindParameters(rest.slice(close + 1));
}

const annotations =
  /@\w[\w.]*(?:\([^)]*\))?\s+|\[\[[^\][]*\]\]\s*|__attribute__\s*\(\([^)]*\)\)\s*|^(?:\s*\[[^\]]*\])+\s*/g;
const notTypes =
  /\b(?:static|inline|public|private|protected|virtual|final|async|override|abstract|internal|constexpr|explicit|synchronized|native|strictfp|default|sealed|partial|extern|unsafe|new|readonly|transient|volatile|factory|external|noexcept)\s+/g;
