import { isMarkup } from '../../plain-text.ts';
import type { Named, Outline, TitleFacts } from '../outline.ts';
import type { PhraseBook } from '../phrase-book.ts';
import { thirdPerson } from './english-verbs.ts';

const code = (text: string): string => `\`${text}\``;
const quote = (text: string): string => `“${text}”`;

/** Somebody's words at the end of a sentence, which they may or may not have ended themselves. */
const lastWords = (text: string): string => `${quote(text)}${/[.!?…。]$/.test(text) ? '' : '.'}`;

function list(items: string[], more = 0, what = 'more'): string {
  const all = more > 0 ? [...items, `${more} ${what}`] : items;
  if (all.length <= 1) return all.join('');
  return `${all.slice(0, -1).join(', ')} and ${all.at(-1)}`;
}

const codes = (names: string[], more = 0): string => list(names.map(code), more);
const plural = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`;

function lines(additions: number, deletions: number): string {
  if (additions + deletions === 0) return 'no line of text';
  if (deletions === 0) return `${plural(additions, 'line')} added`;
  if (additions === 0) return `${plural(deletions, 'line')} removed`;
  return `${plural(additions, 'line')} added, ${deletions.toLocaleString('en')} removed`;
}

/** "the functions `a` and `b` and the type `C`" */
function things(names: Named[], more: number): string {
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
  return list(parts, more, more === 1 ? 'more declaration' : 'more declarations');
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

  background: {
    titled: ({ title, script }) => (script === 'latin' ? '' : `The pull request is titled ${quote(title)}.`),
    authorSays: ({ sentences, source, script }) => {
      const who = source === 'description' ? 'The author writes' : 'The commit messages say';
      return `${who}${script === 'latin' ? '' : ' in another language'}: ${lastWords(sentences.join(' '))}`;
    },
    authorSilent: () =>
      'The author left no description beyond the title, so this article goes by what the diff shows.',
    closes: ({ issues }) =>
      `It says that it closes ${list(issues.map(({ number, title }) => `#${number}${title ? ` (${quote(title)})` : ''}`))}.`,
    extent: ({ files, tests, documents, additions, deletions, place }) => {
      const among = [
        tests > 0 && plural(tests, 'test file'),
        documents > 0 && plural(documents, 'document'),
      ].filter((part) => part !== false);
      const company = among.length > 0 && tests + documents < files ? `, ${list(among)} among them` : '';
      return `The change covers ${plural(files, 'file')}${company} (${lines(additions, deletions)})${place ? `, most of it under ${code(place)}` : ''}.`;
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
  },

  statement: {
    newFile: ({ lines: count, kind }) =>
      `This ${kind === 'documentation' ? 'document' : 'file'} is new${count > 0 ? ` (${plural(count, 'line')})` : ', and empty'}.`,
    removedFile: ({ lines: count, names }) =>
      `This file is removed${count > 0 ? ` (${plural(count, 'line')})` : ''}${names.length > 0 ? `, and with it ${things(names, 0)}` : ''}.`,
    movedFile: ({ from, isEdited }) =>
      `Moved here from ${code(from)}${isEdited ? ' and edited' : ', otherwise unchanged'}.`,
    manyFiles: ({ status, files, more, lines: number }) => {
      const verb = {
        added: 'are new',
        removed: 'are removed',
        moved: 'move without a change inside',
        binary: 'are binary and change',
      }[status];
      const size = number > 0 ? ` (${plural(number, 'line')} in all)` : '';
      return `${plural(files.length + more, 'file')} ${verb}${size}: ${codes(files, more)}.`;
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
    defines: ({ names, more, explained, inNewFile }) => {
      const [only] = explained;
      const what = `${inNewFile ? 'This new file defines' : 'Adds'} ${things(names, more)}`;
      if (only && names.length === 1 && more === 0)
        return `${what}, whose comment says: ${lastWords(only.quote)}`;
      return [
        `${what}.`,
        ...explained.map(({ name, quote: text }) => `The comment on ${code(name)} says: ${lastWords(text)}`),
      ].join(' ');
    },
    removes: ({ names, more, isPublic }) => {
      const consequence = `; whatever used ${names.length + more === 1 ? 'it' : 'them'} from outside has to change`;
      return `Removes ${things(names, more)}${isPublic ? consequence : ''}.`;
    },
    movesSymbols: ({ names, to }) =>
      `${codes(names)} ${names.length === 1 ? 'moves' : 'move'} to ${code(to)}.`,
    renames: ({ from, to, isPublic }) =>
      `Renames ${code(from)} to ${code(to)}${isPublic ? ', so its users have to follow' : ''}.`,
    parameters: ({ name, required, optional, gone }) => {
      const parts = [
        required.length > 0 && `now requires ${codes(required)} from every caller`,
        optional.length > 0 && `now also accepts ${codes(optional)}, which callers may leave out`,
        gone.length > 0 && `no longer takes ${codes(gone)}`,
      ].filter((part) => part !== false);
      return `${code(name)} ${list(parts)}.`;
    },
    returns: ({ names, more, before, after }) =>
      `${codes(names, more)} now ${names.length + more === 1 ? 'returns' : 'return'} ${code(after)} instead of ${code(before)}.`,
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
    dependenciesIn: ({ files, more }) =>
      `Dependencies also move in ${codes(files, more)}${more > 0 ? ' files' : ''}.`,
    lockOnly: ({ additions, deletions }) =>
      `The lock file is brought up to date (${lines(additions, deletions)}).`,
    setting: ({ kind, change, names }) =>
      `${kind === 'environmentVariable' ? reading[change] : verbs[change]} the ${surfaces[kind][names.length === 1 ? 0 : 1]} ${codes(names)}.`,
    tests: ({ count, names, files }) => {
      const inFiles = files > 1 ? ` in ${plural(files, 'file')}` : '';
      if (count === 1) return `Adds a test${inFiles}: ${list(names.map(quote))}.`;
      return `Adds ${plural(count, 'test')}${inFiles}${count > names.length ? ', among them' : ':'} ${list(names.map(quote))}.`;
    },
    testsGone: ({ count, names }) =>
      `Removes ${count === 1 ? 'the test' : `${plural(count, 'test')}${count > names.length ? ', among them' : ':'}`} ${list(names.map(quote))}.`,
    testsChanged: ({ files, additions, deletions }) =>
      `Adjusts ${files === 1 ? 'an existing test file' : `${plural(files, 'test file')}`} without adding a named test (${lines(additions, deletions)}).`,
    sections: ({ headings, more }) =>
      `Adds the ${headings.length + more === 1 ? 'section' : 'sections'} ${list(headings.map(quote), more)}.`,
    addsText: ({ quote: text }) => `Adds to the text: ${lastWords(text)}`,
    rewordedText: ({ before, after }) =>
      isMarkup(before + after)
        ? `${code(before)} becomes ${code(after)}.`
        : `${quote(before)} becomes ${quote(after)}.`,
    docsChanged: ({ files, additions, deletions }) =>
      files === 1
        ? `The text is revised (${lines(additions, deletions)}).`
        : `In all, ${plural(files, 'document')} change (${lines(additions, deletions)}).`,
    alsoIn: ({ files, more }) => `The same is done in ${codes(files, more)}${more > 0 ? ' files' : ''}.`,
    smaller: ({ files, more, additions, deletions }) =>
      `Smaller edits follow in ${codes(files, more)}${more > 0 ? ' files' : ''} (${lines(additions, deletions)}).`,
    generated: ({ files, additions, deletions }) =>
      `${files === 1 ? 'A file that is' : `${plural(files, 'file')} that are`} generated, copied in or binary ${files === 1 ? 'changes' : 'change'} along with this${additions + deletions > 0 ? ` (${lines(additions, deletions)})` : ''}; not read line by line.`,
  },

  points: {
    publicApiRemoved: ({ subjects, count }) =>
      `${codes(subjects, count - subjects.length)} could be used from outside and ${count === 1 ? 'is' : 'are'} gone under ${count === 1 ? 'that name' : 'those names'}: code that relies on ${count === 1 ? 'it' : 'them'} breaks.`,
    publicApiChanged: ({ subjects, count }) =>
      `The public ${count === 1 ? 'declaration' : 'declarations'} of ${codes(subjects, count - subjects.length)} ${count === 1 ? 'changes' : 'change'}; callers elsewhere may have to follow.`,
    closedToAdditions: ({ subjects, count }) =>
      `${codes(subjects, count - subjects.length)} ${count === 1 ? 'is' : 'are'} now closed: code elsewhere can no longer add to ${count === 1 ? 'it' : 'them'} or list every case.`,
    openedToAdditions: ({ subjects, count }) =>
      `${codes(subjects, count - subjects.length)} ${count === 1 ? 'is' : 'are'} now open to additions from elsewhere.`,
    minimumVersionRaised: ({ transitions }) =>
      `${list(transitions.map(({ subject, from, to }) => `The lowest version of ${subject} that is supported rises from ${code(from)} to ${code(to)}`))}.`,
    minimumVersionLowered: ({ transitions }) =>
      `${list(transitions.map(({ subject, from, to }) => `The lowest version of ${subject} that is supported goes down from ${code(from)} to ${code(to)}`))}.`,
    fallbackRemoved: ({ subjects, count }) =>
      `There is no fallback any more for ${codes(subjects, count - subjects.length)}: whoever did not set ${count === 1 ? 'it' : 'them'} has to.`,
    defaultChanged: ({ transitions }) =>
      `${transitions
        .slice(0, 3)
        .map(
          ({ subject, from, to }) => `${code(subject)} is ${code(to)} by default, where it was ${code(from)}`,
        )
        .join('; ')}: whoever relied on the default gets another one.`,
    schemaMigration: ({ subjects }) =>
      `The database schema changes (${codes(subjects)}), so rolling this out means a migration.`,
    settingRemoved: ({ subjects, count }) =>
      `${codes(subjects, count - subjects.length)} can no longer be set or called; whoever relies on ${count === 1 ? 'it' : 'them'} will notice.`,
    majorUpgrade: ({ subjects, count }) =>
      `${codes(subjects, count - subjects.length)} ${count === 1 ? 'moves' : 'move'} to another major version, which may bring breaking changes along.`,
    newErrors: ({ subjects, count }) =>
      `Callers can now meet ${count === 1 ? 'the error' : 'errors such as'} ${list(subjects.map(quote))}.`,
    settingAdded: ({ subjects, count }) =>
      `${codes(subjects, count - subjects.length)} ${count === 1 ? 'is' : 'are'} new for those who run or call this.`,
    dangerousCall: ({ subjects }) =>
      `The changed lines contain ${codes(subjects)}, which runs or renders what it is given: worth a look at where that comes from.`,
    reasonGiven: ({ subjects }) => `The code says why: ${lastWords(subjects[0] ?? '')}`,
    untested: () => 'The code changes without a test beside it that would notice if it stopped working.',
    testsRemoved: ({ subjects }) =>
      `More tests go than come; among those removed: ${list(subjects.map(quote))}.`,
    passedOver: ({ subjects, count }) =>
      `The description does not speak of ${codes(subjects, count - subjects.length)}, ${count === 1 ? 'a large part' : 'large parts'} of the change.`,
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

  joinSentences: (sentences) => sentences.join(' '),
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
  const { changeType, action, from, to, more } = facts;
  const subject = `${code(facts.subject)}${more > 0 ? ` and ${more} more` : ''}`;
  if (action === 'upgraded')
    return from && to && more === 0 ? `Upgrades ${subject} from ${from} to ${to}` : `Upgrades ${subject}`;
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
