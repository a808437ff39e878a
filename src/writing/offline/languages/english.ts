import { isMarkup } from '../../plain-text.ts';
import type { Named, Outline, TitleFacts } from '../outline.ts';
import type { PhraseBook } from '../phrase-book.ts';
import { thirdPerson } from './english-verbs.ts';

const code = (text: string): string => `\`${text}\``;
const quote = (text: string): string => `“${text}”`;

/** Somebody's words at the end of a sentence, which they may or may not have ended themselves. */
const lastWords = (text: string): string => `${quote(text)}${/[.!?…。]$/.test(text) ? '' : '.'}`;

function list(items: string[], hasMore = false): string {
  const all = hasMore ? [...items, 'others'] : items;
  if (all.length <= 1) return all.join('');
  return `${all.slice(0, -1).join(', ')} and ${all.at(-1)}`;
}

const codes = (names: string[], hasMore = false): string => list(names.map(code), hasMore);
const isOne = (names: string[], hasMore: boolean): boolean => names.length === 1 && !hasMore;

/** Enough to know which files are meant. */
const filesNamed = 3;

function files(paths: string[]): string {
  const more = paths.length - filesNamed;
  const all = paths.slice(0, filesNamed).map(code);
  return more > 0 ? `${all.join(', ')} and ${plural(more, 'more file', 'more files')}` : list(all);
}

const plural = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`;

function lines(additions: number, deletions: number): string {
  if (additions + deletions === 0) return 'no line of text';
  if (deletions === 0) return `${plural(additions, 'line')} added`;
  if (additions === 0) return `${plural(deletions, 'line')} removed`;
  return `${plural(additions, 'line')} added, ${deletions.toLocaleString('en')} removed`;
}

/** "the functions `a` and `b` and the type `C`" */
function things(names: Named[], hasMore = false): string {
  const words = {
    function: 'function',
    method: 'method',
    class: 'class',
    type: 'type',
    constant: 'constant',
  };
  const many = {
    function: 'functions',
    method: 'methods',
    class: 'classes',
    type: 'types',
    constant: 'constants',
  };
  const groups = Map.groupBy(names, ({ kind }) => kind);
  const parts = [...groups].map(([kind, same]) => {
    const own = same.map(({ name }) => name);
    return `the ${own.length === 1 ? words[kind] : many[kind]} ${codes(own)}`;
  });
  return list(parts, hasMore);
}

const where = (symbol: string | null): string => (symbol === null ? 'the code' : code(symbol));
const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const surfaces = {
  configurationKey: ['configuration key', 'configuration keys'],
  environmentVariable: ['environment variable', 'environment variables'],
  route: ['route', 'routes'],
  commandLineOption: ['command-line option', 'command-line options'],
} as const;

const verbs = { added: 'Adds', removed: 'Removes', changed: 'Changes' } as const;
const reading = { added: 'Now uses', removed: 'No longer uses', changed: 'Treats differently' } as const;

export const english: PhraseBook = {
  headings: {
    background: 'Background and purpose',
    changes: 'Main changes',
    points: 'Worth noting',
    evidence: 'see',
    footer: (coverage, verification, writer) => {
      const by =
        writer.kind === 'offline'
          ? 'Written from the diff by rules, without a language model'
          : 'Written by a language model';
      const skipped =
        coverage.skipped.length > 0 ? `; ${plural(coverage.skipped.length, 'file')} not read` : '';
      const dropped = verification.dropped > 0 ? `, ${verification.dropped} dropped` : '';
      return (
        `${by}. Read: ${coverage.filesRead.toLocaleString('en')} of ${plural(coverage.filesTotal, 'file')}, ${coverage.linesRead.toLocaleString('en')} of ` +
        `${plural(coverage.linesTotal, 'changed line')}${skipped}. Checked against the diff: ${plural(verification.claims, 'claim')}${dropped}.`
      );
    },
  },

  title: (outline) => titleInEnglish(outline),

  tidy: (sentence) => sentence,

  say: {
    titled: ({ title, script }) => (script === 'latin' ? '' : `The pull request is titled ${quote(title)}.`),
    authorSays: ({ sentences, where: place, script }) => {
      const who = place === 'description' ? 'The author writes' : 'The commit messages say';
      return `${who}${script === 'latin' ? '' : ' in another language'}: ${lastWords(sentences.join(' '))}`;
    },
    nobodySays: () =>
      'Beyond the title, no description is at hand: this article goes by what the diff shows.',
    closes: ({ issues }) =>
      `It says that it closes ${list(issues.map(({ number, title }) => `#${number}${title ? ` (${quote(title)})` : ''}`))}.`,
    extent: ({ paths, tests, documents, additions, deletions, place }) => {
      const total = paths.length;
      const among = [
        tests > 0 && plural(tests, 'test file'),
        documents > 0 && plural(documents, 'document'),
      ].filter((part) => part !== false);
      const company = among.length > 0 && tests + documents < total ? `, ${list(among)} among them` : '';
      return `The change covers ${plural(total, 'file')}${company} (${lines(additions, deletions)})${place ? `, most of it under ${code(place)}` : ''}.`;
    },
    nothingToRead: ({ reason }) =>
      ({
        empty: 'The pull request changes no file: there is nothing more to tell.',
        binary: 'Only binary files change, and what is inside them cannot be told from a diff.',
        mode: 'No line of text changes: only the properties of files, such as whether they can be executed.',
      })[reason],
    unseen: ({ sentences }) =>
      `The description also says ${list(sentences.map((sentence) => quote(sentence.replace(/[.。]$/, ''))))}; the diff does not show ` +
      `${sentences.length === 1 ? 'it, so it may have been done elsewhere or was left out' : 'these, so they may have been done elsewhere or were left out'}.`,

    newFile: ({ lines: count, kind }) =>
      `This ${kind === 'documentation' ? 'document' : 'file'} is new${count > 0 ? ` (${plural(count, 'line')})` : ', and empty'}.`,
    removedFile: ({ lines: count, names }) =>
      `This file is removed${count > 0 ? ` (${plural(count, 'line')})` : ''}${names.length > 0 ? `, and with it ${things(names)}` : ''}.`,
    movedFile: ({ from, isEdited }) =>
      `Moved here from ${code(from)}${isEdited ? ' and edited' : ', otherwise unchanged'}.`,
    manyFiles: ({ status, paths, lines: number }) => {
      const verb = {
        added: 'are new',
        removed: 'are removed',
        moved: 'move without a change inside',
        binary: 'are binary and change',
      }[status];
      const size = number > 0 ? ` (${plural(number, 'line')} in all)` : '';
      return `${plural(paths.length, 'file')} ${verb}${size}: ${files(paths)}.`;
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
    defines: ({ names, hasMore, inNewFile }) =>
      `${inNewFile ? 'This new file defines' : 'Adds'} ${things(names, hasMore)}.`,
    explains: ({ name, quote: text }) => `The comment on ${code(name)} says: ${lastWords(text)}`,
    removes: ({ names, hasMore }) => `Removes ${things(names, hasMore)}.`,
    usersMustChange: ({ isOne }) => `Whatever used ${isOne ? 'it' : 'them'} from outside has to change.`,
    movesSymbols: ({ names, to }) =>
      `${codes(names.map(({ name }) => name))} ${names.length === 1 ? 'moves' : 'move'} to ${code(to)}.`,
    renames: ({ from, to }) => `Renames ${code(from)} to ${code(to)}.`,
    parameters: ({ name, required, optional, gone }) => {
      const parts = [
        required.length > 0 && `now requires ${codes(required)} from every caller`,
        optional.length > 0 && `now also accepts ${codes(optional)}, which callers may leave out`,
        gone.length > 0 && `no longer takes ${codes(gone)}`,
      ].filter((part) => part !== false);
      return `${code(name)} ${list(parts)}.`;
    },
    returns: ({ names, before, after }) =>
      `${codes(names)} now ${names.length === 1 ? 'returns' : 'return'} ${code(after)} instead of ${code(before)}.`,
    resigned: ({ before, after }) => `The declaration ${code(before)} becomes ${code(after)}.`,
    replaced: ({ symbol, before, after }) =>
      `${symbol === null ? '' : `In ${code(symbol)}, `}${code(before)} becomes ${code(after)}.`,
    checks: ({ symbol, conditions }) => `${capital(where(symbol))} now branches on ${codes(conditions)}.`,
    dropsCheck: ({ symbol, condition }) =>
      `${capital(where(symbol))} no longer branches on ${code(condition)}.`,
    raises: ({ symbol, message }) => `${capital(where(symbol))} can now fail with ${quote(message)}.`,
    calls: ({ symbol, names, instead }) =>
      names.length === 0
        ? `${capital(where(symbol))} no longer calls ${codes(instead)}.`
        : `${capital(where(symbol))} now calls ${codes(names)}${instead.length > 0 ? ` and no longer ${codes(instead)}` : ''}.`,
    remarks: ({ symbol, quote: text }) =>
      `A comment ${symbol === null ? 'in the code' : `in ${code(symbol)}`} explains: ${lastWords(text)}`,
    addsLines: ({ symbol, lines: added }) =>
      `${symbol === null ? 'Adds' : `In ${code(symbol)}, adds`} ${codes(added)}.`,
    dropsLines: ({ symbol, lines: dropped }) =>
      `${symbol === null ? 'Removes' : `In ${code(symbol)}, removes`} ${codes(dropped)}.`,
    reworked: ({ names, additions, deletions }) =>
      names.length === 0
        ? `${capital(lines(additions, deletions))}.`
        : `Reworks ${codes(names)} (${lines(additions, deletions)}).`,
    dependencies: ({ changes, more }) => {
      const verbOf = {
        added: 'adds',
        removed: 'drops',
        upgraded: 'upgrades',
        downgraded: 'downgrades',
        changed: 'moves',
        moved: 'keeps, in another manifest,',
      };
      const groups = Map.groupBy(changes, ({ change }) => change);
      const each = [...groups].map(([change, same]) => {
        const names = same.map(({ name, from, to, scope }) => {
          if (change === 'added')
            return `${code(name)}${to ? ` ${code(to)}` : ''}${scope === 'development' ? ' for development' : ''}`;
          return change !== 'removed' && from && to
            ? `${code(name)} from ${code(from)} to ${code(to)}`
            : code(name);
        });
        return `${verbOf[change]} ${list(names)}`;
      });
      const others =
        more > 0 ? `; ${plural(more, 'more dependency changes', 'more dependencies change')} as well` : '';
      return `${capital(each.join(', '))}${others}.`;
    },
    dependenciesIn: ({ files: some, more }) =>
      `Dependencies also move in ${codes(some)}${more > 0 ? ` and ${plural(more, 'more file', 'more files')}` : ''}.`,
    lockOnly: ({ additions, deletions }) =>
      `The lock file is brought up to date (${lines(additions, deletions)}).`,
    setting: ({ kind, change, names }) =>
      `${kind === 'environmentVariable' ? reading[change] : verbs[change]} the ${surfaces[kind][names.length === 1 ? 0 : 1]} ${codes(names)}.`,
    tests: ({ count, names, paths }) => {
      const inFiles = paths.length > 1 ? ` in ${plural(paths.length, 'file')}` : '';
      if (count === 1) return `Adds a test${inFiles}: ${list(names.map(quote))}.`;
      return `Adds ${plural(count, 'test')}${inFiles}${count > names.length ? ', among them' : ':'} ${list(names.map(quote))}.`;
    },
    testsGone: ({ count, names }) =>
      `Removes ${count === 1 ? 'the test' : `${plural(count, 'test')}${count > names.length ? ', among them' : ':'}`} ${list(names.map(quote))}.`,
    testsChanged: ({ paths, additions, deletions }) =>
      `Adjusts ${paths.length === 1 ? 'an existing test file' : `${plural(paths.length, 'test file')}`} without adding a named test (${lines(additions, deletions)}).`,
    sections: ({ headings, hasMore }) =>
      `Adds the ${headings.length === 1 && !hasMore ? 'section' : 'sections'} ${list(headings.map(quote), hasMore)}.`,
    addsText: ({ quote: text }) => `Adds to the text: ${lastWords(text)}`,
    rewordedText: ({ before, after }) =>
      isMarkup(before + after)
        ? `${code(before)} becomes ${code(after)}.`
        : `${quote(before)} becomes ${quote(after)}.`,
    docsChanged: ({ paths, additions, deletions }) =>
      paths.length === 1
        ? `The text is revised (${lines(additions, deletions)}).`
        : `In all, ${plural(paths.length, 'document')} change (${lines(additions, deletions)}).`,
    alsoIn: ({ paths }) => `The same is done in ${files(paths)}.`,
    smaller: ({ paths, additions, deletions }) =>
      `Smaller edits follow in ${files(paths)} (${lines(additions, deletions)}).`,
    generated: ({ paths, additions, deletions }) =>
      `${paths.length === 1 ? 'A file that is' : `${plural(paths.length, 'file')} that are`} generated, copied in or binary ${paths.length === 1 ? 'changes' : 'change'} along with this${additions + deletions > 0 ? ` (${lines(additions, deletions)})` : ''}; not read line by line.`,

    publicApiRemoved: ({ subjects, hasMore }) =>
      `${codes(subjects, hasMore)} could be used from outside and ${isOne(subjects, hasMore) ? 'is gone under that name' : 'are gone under those names'}.`,
    reliersBreak: ({ isOne: one }) => `Code that relies on ${one ? 'it' : 'them'} breaks.`,
    publicApiChanged: ({ subjects, hasMore }) =>
      `The public ${isOne(subjects, hasMore) ? 'declaration' : 'declarations'} of ${codes(subjects, hasMore)} ${isOne(subjects, hasMore) ? 'changes' : 'change'}.`,
    callersFollow: () => 'Callers elsewhere may have to follow.',
    closedToAdditions: ({ subjects, hasMore }) =>
      `${codes(subjects, hasMore)} ${isOne(subjects, hasMore) ? 'is' : 'are'} now closed to additions from elsewhere.`,
    openedToAdditions: ({ subjects, hasMore }) =>
      `${codes(subjects, hasMore)} ${isOne(subjects, hasMore) ? 'is' : 'are'} now open to additions from elsewhere.`,
    minimumVersion: ({ isRaised, transitions }) =>
      `${list(transitions.map(({ subject, from, to }) => `The lowest supported version of ${subject} ${isRaised ? 'rises' : 'goes down'} from ${code(from)} to ${code(to)}`))}.`,
    fallbackRemoved: ({ subjects, hasMore }) =>
      `There is no fallback any more for ${codes(subjects, hasMore)}.`,
    mustBeSet: ({ isOne: one }) => `Whoever did not set ${one ? 'it' : 'them'} has to.`,
    defaultChanged: ({ transitions }) =>
      `${transitions.map(({ subject, from, to }) => `${code(subject)} is ${code(to)} by default, where it was ${code(from)}`).join('; ')}.`,
    reliersGetAnother: () => 'Whoever relied on the default gets another one.',
    schemaMigration: ({ subjects }) => `The database schema changes (${codes(subjects)}).`,
    migrationNeeded: () => 'Rolling this out means a migration.',
    settingRemoved: ({ subjects, hasMore }) => `${codes(subjects, hasMore)} can no longer be set or called.`,
    majorUpgrade: ({ subjects, hasMore }) =>
      `${codes(subjects, hasMore)} ${isOne(subjects, hasMore) ? 'moves' : 'move'} to another major version.`,
    mayBreak: () => 'That may bring breaking changes along.',
    newErrors: ({ messages, hasMore }) =>
      `Callers can now meet ${isOne(messages, hasMore) ? 'the error' : 'errors such as'} ${list(messages.map(quote))}.`,
    settingAdded: ({ subjects, hasMore }) =>
      `${codes(subjects, hasMore)} ${isOne(subjects, hasMore) ? 'is' : 'are'} new for those who run or call this.`,
    dangerousCall: ({ subjects }) =>
      `The changed lines contain ${codes(subjects)}, which runs or renders what it is given: worth a look at where that comes from.`,
    reasonGiven: ({ quote: text }) => `The code says why: ${lastWords(text)}`,
    untested: () => 'The code changes without a test beside it that would notice if it stopped working.',
    testsRemoved: ({ names }) => `More tests go than come; among those removed: ${list(names.map(quote))}.`,
    passedOver: ({ paths, hasMore }) =>
      `The description does not speak of ${codes(paths, hasMore)}, ${isOne(paths, hasMore) ? 'a large part' : 'large parts'} of the change.`,
    authenticationTouched: ({ subjects }) =>
      `The changed lines deal with sign-in or permissions (${codes(subjects)}), where a mistake is costly.`,
    cryptographyTouched: ({ subjects }) =>
      `The changed lines deal with cryptography (${codes(subjects)}), where details decide.`,
    concurrency: ({ subjects }) =>
      `Several things happen at once here (${codes(subjects)}): the order of events deserves a second look.`,
    performanceSensitive: ({ subjects }) =>
      `The changed lines are about doing work less often or sooner (${codes(subjects)}), so they affect speed or freshness.`,
    userVisibleText: ({ subjects }) =>
      `Text that users see changes${subjects.length > 0 ? `, for example ${code(subjects[0] ?? '')}` : ''}.`,
  },
};

/** The author's own words where they are English, said of the change; otherwise what the diff shows. */
function titleInEnglish({ authorTitle, titleFacts }: Outline): string {
  const { text, scope, script } = authorTitle;
  const words = text.split(/\s+/).filter((word) => word !== '');
  const isTelling = words.length >= 2 && words.slice(1).some((word) => /\p{L}{3,}/u.test(word));
  if (script !== 'latin' || !isTelling) return fromFacts(titleFacts, scope) ?? (text || 'An empty change');
  const said = thirdPerson(text);
  const isNamed = scope === null || text.toLowerCase().includes(scope.toLowerCase());
  return isNamed || said.length + scope.length > 76 ? said : `${said} (${scope})`;
}

function fromFacts(facts: TitleFacts | null, scope: string | null): string | null {
  if (!facts) return null;
  const { changeType, action, from, to, hasMore } = facts;
  const subject = `${code(facts.subject)}${hasMore ? ' and more' : ''}`;
  if (action === 'upgraded')
    return from && to && !hasMore ? `Upgrades ${subject} from ${from} to ${to}` : `Upgrades ${subject}`;
  if (action === 'added') return `Adds ${subject}`;
  if (action === 'removed') return `Removes ${subject}`;
  if (action === 'renamed') return `Renames ${code(from ?? '')} to ${code(facts.subject)}`;
  if (action === 'tested') return `Extends the tests in ${subject}`;
  if (action === 'documented') return `Revises ${subject}`;
  const verb = {
    FEAT: 'Extends',
    FIX: 'Fixes',
    REFACTOR: 'Restructures',
    DOCS: 'Documents',
    TEST: 'Tests',
    PERF: 'Speeds up',
    BUILD: 'Adjusts',
    CHORE: 'Updates',
  }[changeType];
  return scope === null ? `${verb} ${subject}` : `${verb} ${code(scope)}`;
}
