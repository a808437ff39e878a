import type { AttentionPoint } from '../../../../reading/facts.ts';
import type { OfPoints, Saying } from '../../statements.ts';
import { capital, code, codes } from './words.ts';

const is = (subjects: string[]): string => (subjects.length === 1 ? 'is' : 'are');
const subjectsNamed = 3;
const named = (subjects: string[]): string => codes(subjects, subjectsNamed);
const transitions = (
  all: AttentionPoint['transitions'],
  say: (one: AttentionPoint['transitions'][number]) => string,
) => capital(all.map(say).join('; '));

const settings = {
  configurationKey: ['The configuration key', 'The configuration keys'],
  environmentVariable: ['The environment variable', 'The environment variables'],
  route: ['The route', 'The routes'],
  commandLineOption: ['The command-line option', 'The command-line options'],
} as const;

export const pointSayings: Saying<string, OfPoints> = {
  publicApiRemoved: ({ names, isPart }) => {
    const subjects = names.map(({ name }) => name);
    const others = isPart || subjects.length > subjectsNamed ? ', among others' : '';
    const what = subjects.length === 1 ? 'declaration' : 'declarations';
    return `The public ${what} of ${codes(subjects.slice(0, subjectsNamed))} ${is(subjects)} removed${others}.`;
  },
  publicApiRenamed: ({ from, to }) =>
    `${code(from)} could be used from outside and is now called ${code(to)}.`,
  reliersBreak: ({ isOne }) => `Code that relies on ${isOne ? 'it' : 'them'} may have to change.`,
  publicApiChanged: ({ names }) => {
    const [declaration, verb] = names.length === 1 ? ['declaration', 'changes'] : ['declarations', 'change'];
    return `The public ${declaration} of ${named(names.map(({ name }) => name))} ${verb}.`;
  },
  callersFollow: () => 'Callers elsewhere may have to follow.',
  closedToAdditions: ({ subjects }) =>
    `${named(subjects)} ${is(subjects)} now closed to additions from elsewhere.`,
  openedToAdditions: ({ subjects }) =>
    `${named(subjects)} ${is(subjects)} now open to additions from elsewhere.`,
  minimumVersion: ({ isRaised, transitions: all }) =>
    `${transitions(all, ({ subject, from, to }) => `the lowest supported version of ${subject} ${isRaised ? 'rises' : 'goes down'} from ${code(from)} to ${code(to)}`)}.`,
  frameworksDropped: ({ names }) =>
    `Drops the target ${names.length === 1 ? 'framework' : 'frameworks'} ${codes(names)}.`,
  fallbackRemoved: ({ subjects }) => `The look-up of ${named(subjects)} with a fallback is removed.`,
  defaultChanged: ({ transitions: all }) =>
    `${transitions(all, ({ subject, from, to }) => `${code(subject)} is ${code(to)} by default, where it was ${code(from)}`)}.`,
  reliersGetAnother: () => 'Whoever relied on the default gets another one.',
  schemaMigration: ({ subjects }) => `The database schema changes (${named(subjects)}).`,
  migrationNeeded: () => 'Rolling this out means a migration.',
  settingRemoved: ({ kind, subjects }) =>
    `${settings[kind][subjects.length === 1 ? 0 : 1]} ${named(subjects)} ${is(subjects)} gone.`,
  majorUpgrade: ({ transitions: all }) =>
    `${transitions(all, ({ subject, from, to }) => `${code(subject)} moves to another major version, from ${code(from)} to ${code(to)}`)}.`,
  mayBreak: () => 'That may bring breaking changes along.',
  dangerousCall: ({ subjects }) => `The added lines contain ${named(subjects)}.`,
  lookWhereFrom: () => 'It runs or renders what it is given: worth a look at where that comes from.',
};
