import type { EditKind } from './known-edit.ts';
import { around, type Editor, hasLongString, pick, wordsOf } from './make-edits.ts';
import { breakOrJoin, closing } from './make-layout-edits.ts';
import { renameFunction, renameType } from './make-renames.ts';

const changed = (lines: string[], at: number, line: string): string[] => lines.with(at, line);

const rewordComment: Editor = ({ file: { lines, language }, random }) => {
  const mark = language.isIndented ? /^\s*# [A-Za-z][^=({]*$/ : /^\s*(?:\/\/[/!]?|\*) [A-Za-z][^=({@]*$/;
  const candidates = lines.flatMap((line, index) =>
    mark.test(line) &&
    wordsOf(line).length >= 5 &&
    !/todo|copyright|license|eslint|noqa|nolint|https?:|type:|ignore|deprecated/i.test(line)
      ? [index]
      : [],
  );
  const at = pick(candidates, random);
  if (at === undefined) return null;
  const line = lines[at] ?? '';
  const words = wordsOf(line);
  const from = words[words.length - 2] ?? '';
  const to = 'quietly considered';
  const end = line.lastIndexOf(from);
  if (end < 0 || from.length < 2) return null;
  const reworded = line.slice(0, end) + to + line.slice(end + from.length);
  return {
    lines: changed(lines, at, reworded),
    truth: { oldWords: line, newWords: reworded, touched: ['*'] },
  };
};

const addParameter: Editor = ({ file: { lines, functions, language }, random, serial }) => {
  const piece = pick(functions, random);
  if (!piece || piece.headerEnd !== piece.start) return null;
  const line = lines[piece.start] ?? '';
  const open = line.indexOf('(', line.indexOf(piece.name));
  const close = closing(line, open);
  const inside = line.slice(open + 1, close);
  if (close < 0 || /\*|\.\.\.|vararg|[({]/.test(inside)) return null;
  const name =
    language.name === 'Go' ||
    language.name === 'TypeScript' ||
    language.name === 'Swift' ||
    language.name === 'Kotlin'
      ? `extra${serial}`
      : `extra_${serial}`;
  const isOptional = language.optionalParameter !== null && (random() < 0.5 || /=/.test(inside));
  const text =
    isOptional && language.optionalParameter ? language.optionalParameter(name) : language.parameter(name);
  const separator = inside.trim() === '' ? '' : ', ';
  return {
    lines: changed(lines, piece.start, line.slice(0, close) + separator + text + line.slice(close)),
    truth: {
      parameter: { of: piece.name, name, isOptional },
      newWords: `, ${text}`,
      touched: [piece.name, ...around(lines, piece.start)],
    },
  };
};

const changeDefault: Editor = ({ file: { lines, functions, language }, random, serial }) => {
  const headers = functions
    .filter(({ start, headerEnd }) => start === headerEnd)
    .flatMap(({ start, name }) => {
      const match =
        /\b(\w+)(?:: ?[\w[\]<>.?]+)? ?= ?(\d+|true|false|True|False|"[^"]*"|'[^']*')(?=[,)])/.exec(
          lines[start] ?? '',
        );
      return match?.[2] ? [{ at: start, value: match[2], touched: [name, ...around(lines, start)] }] : [];
    });
  const constants = lines.flatMap((line, at) => {
    const match = language.constantLine.exec(line);
    return match?.[1] && match[2] ? [{ at, value: match[2], touched: [match[1], ...around(lines, at)] }] : [];
  });
  const one = pick([...headers, ...constants], random);
  if (!one) return null;
  const line = lines[one.at] ?? '';
  const to = otherValue(one.value, serial);
  const place = line.lastIndexOf(one.value);
  return {
    lines: changed(lines, one.at, line.slice(0, place) + to + line.slice(place + one.value.length)),
    truth: { oldWords: one.value, newWords: to, touched: one.touched },
  };
};

function otherValue(value: string, serial: number): string {
  const opposites: Record<string, string> = { true: 'false', false: 'true', True: 'False', False: 'True' };
  const quote = value[0] as string;
  return (
    opposites[value] ??
    (/\d/.test(quote) ? String(Number(value) + 40 + serial) : `${quote}other${serial}${quote}`)
  );
}

const changeCondition: Editor = ({ file: { lines, functions, language }, random, serial }) => {
  const at = pick(
    functions.flatMap(({ headerEnd, end }) =>
      Array.from({ length: end - headerEnd - 1 }, (_, index) => headerEnd + 1 + index).filter((place) =>
        (language.isIndented ? /^\s*(?:el)?if [^#"']+:$/ : /^\s*(?:\} else )?if [^"'`]+\{$/).test(
          lines[place] ?? '',
        ),
      ),
    ),
    random,
  );
  if (at === undefined) return null;
  const line = lines[at] ?? '';
  if (/\blet\b|;|:=/.test(line)) return null;
  const owner = functions.find(({ start, end }) => at > start && at <= end)?.name ?? '';
  const touched = [owner, ...around(lines, at)];
  const [, operator] = / (===?|!==?|>=?|<=?|&&|\|\|) /.exec(line) ?? [];
  const other: Record<string, string> = {
    '===': '!==',
    '!==': '===',
    '==': '!=',
    '!=': '==',
    '>': '>=',
    '<': '<=',
    '>=': '>',
    '<=': '<',
    '&&': '||',
    '||': '&&',
  };
  if (operator && other[operator] && line.split(` ${operator} `).length === 2) {
    const to = other[operator];
    return {
      lines: changed(lines, at, line.replace(` ${operator} `, ` ${to} `)),
      truth: { oldWords: operator, newWords: to, touched },
    };
  }
  const extra = language.isIndented ? ` and is_also_${serial}` : ` && isAlso${serial}`;
  const end = language.isIndented
    ? line.length - 1
    : /\) \{$/.test(line) && /if \(/.test(line)
      ? line.length - 3
      : line.length - 2;
  return {
    lines: changed(lines, at, line.slice(0, end) + extra + line.slice(end)),
    truth: { newWords: extra, touched },
  };
};

const keywords =
  /^(?:if|for|while|switch|return|catch|func|fn|def|function|match|elif|guard|when|sizeof|static_assert|defined|super|self|assert|with|except|print|typeof|decltype|noexcept|lambda|and|not|async|await|throws)$/;

const changeCall: Editor = ({ file: { lines, functions }, random, serial }) => {
  const piece = pick(functions, random);
  if (!piece) return null;
  const places = Array.from(
    { length: piece.end - piece.headerEnd - 1 },
    (_, index) => piece.headerEnd + 1 + index,
  ).flatMap((at) => {
    const line = lines[at] ?? '';
    if (/^\s*(?:\/\/|#|\*|"""|@)/.test(line) || /["'`]/.test(line)) return [];
    return Array.from(line.matchAll(/(?<![\w$])([a-z_]\w{4,})\(/gi), (match) => ({
      at,
      name: match[1] ?? '',
      index: match.index,
    })).filter(({ name }) => !keywords.test(name));
  });
  const place = pick(places, random);
  if (!place || hasLongString(lines.slice(piece.start, piece.end))) return null;
  const line = lines[place.at] ?? '';
  const to = `${place.name}${/_/.test(place.name) ? `_instead${serial}` : `Instead${serial}`}`;
  return {
    lines: changed(
      lines,
      place.at,
      line.slice(0, place.index) + to + line.slice(place.index + place.name.length),
    ),
    truth: { oldWords: place.name, newWords: to, touched: [piece.name, ...around(lines, place.at)] },
  };
};

const changeSignature: Editor = ({ file: { lines, functions, language }, random }) => {
  const places = functions
    .filter(({ start, headerEnd }) => start === headerEnd)
    .flatMap(({ start, name }) => {
      const line = lines[start] ?? '';
      const from = line.indexOf('(', line.indexOf(name));
      return language.types.flatMap(([was, is]) => {
        const escaped = was.replace(/[[\]&]/g, '\\$&');
        const match = new RegExp(`(?<=[\\s:>(])${escaped}(?=[,)\\s{:=]|$)`).exec(line.slice(from));
        return match ? [{ at: start, index: from + match.index, was, is, name }] : [];
      });
    });
  const place = pick(places, random);
  if (!place) return null;
  const line = lines[place.at] ?? '';
  return {
    lines: changed(
      lines,
      place.at,
      line.slice(0, place.index) + place.is + line.slice(place.index + place.was.length),
    ),
    truth: { oldWords: place.was, newWords: place.is, touched: [place.name, ...around(lines, place.at)] },
  };
};

export const wordEditors: Partial<Record<EditKind, Editor>> = {
  'break or join lines': breakOrJoin,
  'rename a function': renameFunction,
  'rename a type': renameType,
  'reword a comment': rewordComment,
  'add a parameter': addParameter,
  'change a default': changeDefault,
  'change a condition': changeCondition,
  'change a call': changeCall,
  'change a signature': changeSignature,
};
