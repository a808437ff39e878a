import type { FileKind } from '../facts.ts';

const unshipped =
  /(?:^|\/)(?:examples?|_examples?|samples?|demos?|internals?|bench(?:es|marks?)?|tools?|scripts?|tests?|testing|fixtures?)\//i;

export const isShipped = ({ path, kind }: { path: string; kind: FileKind }): boolean =>
  kind === 'source' && !unshipped.test(path);

const headers = /\.(?:h|hh|hpp|hxx|h\+\+|cuh|ipp|inl|tpp|ixx|cppm)$/;

export function isReachable(path: string, kind: FileKind, language: string | null): boolean | null {
  if (!isShipped({ path, kind })) return false;
  switch (language) {
    case 'C':
    case 'C++':
    case 'CUDA':
      return headers.test(path);
    case 'Rust':
      if (/(?:^|\/)(?:src\/main|build)\.rs$|(?:^|\/)src\/bin\//.test(path)) return false;
      return /(?:^|\/)src\/lib\.rs$/.test(path) || null;
    case 'Python':
      if (/(?:^|\/)(?:__main__|setup|conftest|noxfile|manage)\.py$/.test(path)) return false;
      return /(?:^|\/)_(?!_init__\.py$)/.test(path) ? null : true;
    default:
      return true;
  }
}

export interface HandedOn {
  all: boolean | null;
  names: ReadonlySet<string>;
}

type TextOf = (path: string) => string | undefined;

interface Modules {
  around: (path: string) => string[];
  handedOn: (path: string, textOf: TextOf) => HandedOn | null;
}

export const modulesAround = (path: string, language: string | null): string[] =>
  modules.get(language)?.around(path) ?? [];

export const handedOn = (path: string, language: string | null, textOf: TextOf): HandedOn | null =>
  modules.get(language)?.handedOn(path, textOf) ?? null;

function rustModules(path: string): { name: string; candidates: string[] }[] {
  const [, root = '', inner = ''] = /^(.*?(?:^|\/)src\/)(.+)\.rs$/.exec(path) ?? [];
  const names = inner.split('/').filter((name) => name !== '');
  if (names.at(-1) === 'mod') names.pop();
  return names
    .map((name, depth) => {
      const around = `${root}${names.slice(0, depth).join('/')}`;
      return { name, candidates: depth === 0 ? [`${root}lib.rs`] : [`${around}.rs`, `${around}/mod.rs`] };
    })
    .reverse();
}

function inRust(path: string, textOf: TextOf): HandedOn | null {
  const names = new Set<string>();
  let all = true;
  const modules = rustModules(path);
  if (modules.length === 0) return null;
  for (const { name, candidates } of modules) {
    const text = candidates.map(textOf).find((found) => found !== undefined);
    if (text === undefined) return null;
    const uses = Array.from(text.matchAll(/^\s*pub use ([^;]+);/gm), ([, used = '']) => used);
    for (const used of uses) for (const word of used.match(/\w+/g) ?? []) names.add(word);
    const isOpen = new RegExp(`^\\s*pub mod ${name}\\b`, 'm').test(text);
    const isSpread = uses.some((used) => new RegExp(`\\b${name}::\\*`).test(used));
    all &&= isOpen || isSpread;
  }
  return { all, names };
}

function pythonPackages(path: string): string[] {
  const directories = path.split('/').slice(0, -1);
  return directories
    .map((_, depth) => `${directories.slice(0, depth + 1).join('/')}/__init__.py`)
    .filter((init) => init !== path && !/^(?:src|lib)\/__init__\.py$/.test(init))
    .reverse();
}

function inPython(path: string, textOf: TextOf): HandedOn | null {
  if (!/(?:^|\/)_(?!_init__\.py$)/.test(path)) return null;
  const names = new Set<string>();
  const texts = pythonPackages(path).flatMap((init) => textOf(init) ?? []);
  if (texts.length === 0) return null;
  for (const text of texts) {
    const [list] = /^__all__\s*(?::[^=]*)?=\s*[[(][^\])]*/m.exec(text) ?? [];
    const said =
      list ?? Array.from(text.matchAll(/^from \S+ import (\([^)]*\)|.*)$/gm), ([all]) => all).join(' ');
    for (const word of said.match(/\w+/g) ?? []) names.add(word);
  }
  return { all: false, names };
}

const scriptEnding = /\.([cm]?)([jt])sx?$/;

function scriptEntries(path: string): string[] {
  const [, letter = 'j'] = /\.[cm]?([jt])sx?$/.exec(path) ?? [];
  const [folder = ''] = /^(?:.*?\/)?(?:src|source|lib)\//.exec(path) ?? [];
  return ['', 'm', 'c'].map((module) => `${folder}index.${module}${letter}s`);
}

/** An entry file exports names, or everything of another file. Exports through further files are not followed. */
function inScript(path: string, textOf: TextOf): HandedOn | null {
  const entries = scriptEntries(path);
  if (entries.includes(path)) return { all: true, names: new Set() };
  const entry = entries.find((candidate) => textOf(candidate) !== undefined);
  const text = textOf(entry ?? '') ?? '';
  if (entry === undefined || !/^export\b/m.test(text)) return null;
  const folder = entry.slice(0, entry.lastIndexOf('/') + 1);
  const own = path.replace(scriptEnding, '');
  const spread = Array.from(
    text.matchAll(/^export (?:type )?\*.*?from\s+['"]\.\/([^'"]+)['"]/gm),
    ([, from = '']) => `${folder}${from.replace(scriptEnding, '').replace(/\/$/, '')}`,
  );
  if (spread.includes(own)) return { all: true, names: new Set() };
  const isThroughOthers = spread.some((module) => own.startsWith(`${module.replace(/\/index$/, '')}/`));
  const lists = Array.from(text.matchAll(/^export (?:type )?\{([^}]*)\}/gm), ([, list = '']) => list);
  const names = new Set(lists.join(' ').match(/[\w$]+/g));
  return { all: isThroughOthers ? null : false, names };
}

const script: Modules = {
  around: (path) => scriptEntries(path).filter((entry) => entry !== path),
  handedOn: inScript,
};
const modules: ReadonlyMap<string | null, Modules> = new Map([
  ['Rust', { around: (path) => rustModules(path).flatMap(({ candidates }) => candidates), handedOn: inRust }],
  ['Python', { around: pythonPackages, handedOn: inPython }],
  ['JavaScript', script],
  ['TypeScript', script],
]);
