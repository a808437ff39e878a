import { isProse } from '../../../plain-text.ts';
import { dependenciesNamed } from '../../plan-company.ts';
import {
  namesPerList,
  type OfCompany,
  type OfFiles,
  type OfLines,
  type OfSymbols,
  type Saying,
  type Statement,
} from '../../statements.ts';
import {
  capital,
  code,
  codes,
  files,
  inside,
  kindOf,
  lastWords,
  lines,
  list,
  plural,
  quote,
  quotes,
  things,
} from './words.ts';

export const fileSayings: Saying<string, OfFiles> = {
  newFile: ({ lines: count, other }) => {
    const origin = other === null ? '' : `; most of its lines stood in ${code(other)} before`;
    return `This file is new${count > 0 ? ` (${plural(count, 'line')})` : ', and empty'}${origin}.`;
  },
  removedFile: ({ lines: count, other }) => {
    const rest = other === null ? '' : `; most of its lines now stand in ${code(other)}`;
    return `This file is removed${count > 0 ? ` (${plural(count, 'line')})` : ''}${rest}.`;
  },
  linked: ({ target, isNew }) =>
    isNew ? `A new symbolic link to ${code(target)}.` : `This is now a symbolic link to ${code(target)}.`,
  movedFile: ({ from, isEdited }) =>
    `Moved here from ${code(from)}${isEdited ? ' and edited' : ', otherwise unchanged'}.`,
  manyFiles: ({ status, paths, lines: count, other }) => {
    const verb = {
      added: 'are new',
      removed: 'are removed',
      moved: 'move without a change inside',
      binary: 'are binary and change',
    }[status];
    const size = count > 0 ? ` (${plural(count, 'line')} in all)` : '';
    const origin =
      other === null
        ? ''
        : status === 'added'
          ? `; most of their lines stood in ${code(other)} before`
          : `; most of their lines now stand in ${code(other)}`;
    return `${files(paths)} ${verb}${size}${origin}.`;
  },
  copiedFile: ({ from }) => `A copy of ${code(from)}.`,
  binaryFile: ({ status }) =>
    ({
      added: 'A new binary file.',
      removed: 'This binary file is removed.',
      modified: 'This binary file is replaced by another.',
    })[status],
  modeChanged: ({ isExecutable }) =>
    isExecutable ? 'The file can now be executed.' : 'The file can no longer be executed.',
  submodule: () => 'The submodule points to another commit.',
  counts: ({ names, ...extent }) =>
    names.length === 0
      ? `${capital(lines(extent))}.`
      : `Changes inside ${codes(names)} (${lines(extent)} in the file).`,
  importsOnly: ({ paths }) => `Only imports change in ${files(paths)}.`,
  alsoIn: ({ paths, isPart }) =>
    `The same is done in ${isPart ? `${files(paths.slice(0, 3))}, among others` : files(paths)}.`,
  wordsOnly: (extent) => `Only comments or documentation change (${lines(extent)}).`,
  smaller: (extent) => `Further edits are in ${files(extent.paths)} (${lines(extent)}).`,
  unread: ({ kind, event, folder, ...extent }) => {
    const { paths, additions, deletions } = extent;
    const vendored = folder
      ? `below ${code(folder)}, where copies from elsewhere are kept as a rule`
      : 'taken for a copy from elsewhere';
    const what = { generated: 'taken for generated', vendored, binary: 'binary' }[kind];
    const size = additions + deletions > 0 ? ` (${lines(extent)})` : '';
    const [one, many] = {
      added: ['new', 'are new'],
      removed: ['is removed', 'are removed'],
      moved: ['moves without a change inside', 'move without a change inside'],
      edited: ['changes', 'change'],
    }[event];
    return paths.length === 1
      ? `This file is ${what}, and ${one}${size}.`
      : `${plural(paths.length, 'file')} that are ${what} ${many}${size}: ${files(paths)}.`;
  },
  lockOnly: (extent) => `The lock file changes (${lines(extent)}).`,
};

export const symbolSayings: Saying<string, OfSymbols> = {
  defines: ({ names, inNewFile, isPart }) => `${inNewFile ? 'It defines' : 'Adds'} ${things(names, isPart)}.`,
  explains: ({ name, isOnly, isComment, quote: text }) => {
    const what = isComment ? 'comment' : 'documentation';
    return `${isOnly ? `Its ${what}` : `The ${what} on ${code(name)}`} says: ${lastWords(text)}`;
  },
  removes: ({ names, withFile, isPart }) =>
    withFile ? `Removed with that: ${things(names)}.` : `Removes ${things(names, isPart)}.`,
  movesHere: ({ names, from, isEdited }) =>
    `${capital(things(names))} ${names.length === 1 ? 'moves' : 'move'} here from ${code(from)}${isEdited ? ', with edits' : ''}.`,
  movesAway: ({ names, to }) =>
    `${capital(things(names))} ${names.length === 1 ? 'moves' : 'move'} to ${code(to)}.`,
  movesWithin: ({ names }) =>
    `${capital(things(names))} ${names.length === 1 ? 'moves' : 'move'} to another place in the file.`,
  wraps: ({ names, wrapper }) =>
    `${capital(things(names))} now ${names.length === 1 ? 'stands' : 'stand'} inside ${code(wrapper)}.`,
  renames: ({ kind, from, to }) => `Renames the ${kindOf(kind)} ${code(from)} to ${code(to)}.`,
  parameters: ({ kind, name, required, optional, gone }) => {
    const parts = [
      required.length > 0 && `now takes ${codes(required)}`,
      optional.length > 0 && `now also accepts ${codes(optional)}, which callers may leave out`,
      gone.length > 0 && `no longer takes ${codes(gone)}`,
    ].filter((part) => part !== false);
    return `${kind === 'constructor' ? 'The constructor ' : ''}${code(name)} ${list(parts)}.`;
  },
  parameterType: ({ of, name, from, to }) =>
    `The parameter ${code(name)} of ${code(of)} is now ${code(to)} instead of ${code(from)}.`,
  parameterDefault: ({ of, name, from, to }) =>
    `The parameter ${code(name)} of ${code(of)} is ${code(to)} by default instead of ${code(from)}.`,
  returns: ({ names, from, to }) =>
    `${codes(names)} now ${names.length === 1 ? 'returns' : 'return'} ${code(to)} instead of ${code(from)}.`,
  resigned: ({ from, to }) => `${code(from)} becomes ${code(to)}.`,
  value: ({ name, from, to }) => `${code(name)} changes from ${code(from)} to ${code(to)}.`,
};

const inPlaces = (count: number | null): string =>
  count === null || count < 2 ? '' : ` in ${plural(count, 'place')}`;

const amongOthers = (isPart = false): string => (isPart ? ', among other edits' : '');
const besideOthers = (isPart = false, what = ''): string =>
  isPart ? `Among other edits, ${what.charAt(0).toLowerCase()}${what.slice(1)}` : what;

export const lineSayings: Saying<string, OfLines> = {
  replaced: ({ symbol, from, to, isPart }) =>
    inside(symbol, `${code(from)} becomes ${code(to)}${amongOthers(isPart)}.`),
  replacedOften: ({ from, to, count, isPart }) =>
    `${code(from)} becomes ${code(to)}${inPlaces(count)}${amongOthers(isPart)}.`,
  addedOften: ({ text, count }) => `Adds ${code(text)}${inPlaces(count)}.`,
  reformatted: ({ paths }) =>
    `Only line breaks, blanks or indentation change${paths.length > 1 ? ` in ${files(paths)}` : ''}.`,
  checksDifferently: ({ symbol, from, to, isPart }) =>
    inside(symbol, `the condition ${code(from)} becomes ${code(to)}${amongOthers(isPart)}.`),
  raises: ({ symbol, message }) => `${inside(symbol, `a new error message says ${lastWords(message)}`)}`,
  remarks: ({ symbol, isComment, quote: text, isPart }) =>
    `${besideOthers(isPart, isComment ? 'A new comment' : 'New documentation')}${symbol === null ? '' : ` in ${code(symbol)}`} says: ${lastWords(text)}`,
  rewords: ({ symbol, isComment, from, quote: text, isPart }) =>
    `${besideOthers(isPart, isComment ? 'A comment' : 'The documentation')}${symbol === null ? '' : ` in ${code(symbol)}`} now says ${from === '' ? '' : `${quote(text)} instead of `}${lastWords(from === '' ? text : from)}`,
  lines: ({ symbol, added, removed, hasMore, isInPlace }) => {
    if (isInPlace && removed.length === 0) {
      const more = hasMore.added ? ', among others,' : '';
      return inside(symbol, `adds ${codes(added)}${more} in place of other lines.`);
    }
    if (isInPlace && added.length === 0) {
      const more = hasMore.removed ? ', among others' : '';
      const their = removed.length > 1 || hasMore.removed ? 'their' : 'its';
      return inside(symbol, `removes ${codes(removed)}${more}, and other lines take ${their} place.`);
    }
    const others = ', among other lines';
    const goes = { text: `removes ${codes(removed)}`, isPart: hasMore.removed };
    const comes = { text: `adds ${codes(added)}`, isPart: hasMore.added };
    const parts = [...(removed.length > 0 ? [goes] : []), ...(added.length > 0 ? [comes] : [])];
    const [first, second] = parts.sort((one, other) => Number(other.isPart) - Number(one.isPart));
    if (!first) return '';
    const isPart = first.isPart ? others : '';
    if (!second) {
      const isOtherSide = removed.length === 0 ? hasMore.removed : hasMore.added;
      return inside(symbol, `${first.text}${isPart || amongOthers(isOtherSide)}.`);
    }
    return first.isPart === second.isPart
      ? inside(symbol, `${first.text} and ${second.text}${isPart}.`)
      : inside(symbol, `${first.text}${others}, and ${second.text}.`);
  },
};

const surfaces = {
  configurationKey: ['configuration key', 'configuration keys'],
  environmentVariable: ['environment variable', 'environment variables'],
  route: ['route', 'routes'],
  commandLineOption: ['command-line option', 'command-line options'],
} as const;
const verbs = { added: 'Adds', removed: 'Removes', changed: 'Changes' } as const;
const reading = {
  added: 'Adds a use of',
  removed: 'Removes a use of',
  changed: 'Treats differently',
} as const;

export const companySayings: Saying<string, OfCompany> = {
  dependencies: ({ change, changes }) => dependencies(change, changes),
  dependenciesMoved: ({ names, from, to, isHere }) =>
    `Moves ${codes(names, dependenciesNamed)} ${isHere ? `here from ${code(from)}` : `to ${code(to)}`}.`,
  setting: ({ kind, change, names }) =>
    `${(kind === 'environmentVariable' ? reading : verbs)[change]} the ${surfaces[kind][names.length === 1 ? 0 : 1]} ${codes(names)}.`,
  tests: ({ names }) => `Adds the ${names.length === 1 ? 'test' : 'tests'} ${quotes(names, 3)}.`,
  testsGone: ({ names }) => `Removes the ${names.length === 1 ? 'test' : 'tests'} ${quotes(names, 3)}.`,
  testsRenamed: ({ from, to, hasMore }) =>
    `The test ${quote(from)} is now called ${quote(to)}${hasMore ? ', and others get other names, too' : ''}.`,
  testsMoved: ({ names, from }) =>
    `The ${names.length === 1 ? 'test' : 'tests'} ${quotes(names, 3)} ${names.length === 1 ? 'moves' : 'move'} here from ${code(from)}.`,
  sections: ({ headings, isPart }) => {
    const others = isPart && headings.length <= namesPerList ? ', among others' : '';
    return `Adds the ${headings.length === 1 ? 'section' : 'sections'} ${quotes(headings)}${others}.`;
  },
  addsText: ({ quote: text }) => `Adds to the document: ${lastWords(text)}`,
  dropsText: ({ quote: text }) => `Removes from the document: ${lastWords(text)}`,
  rewordsText: ({ from, to, isPart }) =>
    isProse(from) && isProse(to)
      ? `${quote(from)} becomes ${quote(to)}${amongOthers(isPart)}.`
      : `${code(from)} becomes ${code(to)}${amongOthers(isPart)}.`,
  changelog: ({ section, quote: text }) =>
    `${section === null ? 'The' : `Under ${quote(section)}, the`} changelog says: ${lastWords(text)}`,
};

const dependencyVerbs = {
  added: 'Adds',
  removed: 'Drops',
  upgraded: 'Upgrades',
  downgraded: 'Downgrades',
  changed: 'Changes',
} as const;

type Dependencies = Extract<Statement, { say: 'dependencies' }>;

function dependencies(change: Dependencies['change'], changes: Dependencies['changes']): string {
  const names = changes.slice(0, dependenciesNamed).map(({ name, from, to, scope }) => {
    if (change === 'added')
      return `${code(name)}${to ? ` ${code(to)}` : ''}${scope === 'development' ? ' for development' : ''}`;
    return change !== 'removed' && from && to
      ? `${code(name)} from ${code(from)} to ${code(to)}`
      : code(name);
  });
  const more = changes.length - dependenciesNamed;
  return `${dependencyVerbs[change]} ${list(more > 0 ? [...names, `${more} more`] : names)}.`;
}
