import type { SideLine } from '../hunk-sides.ts';
import type { SurfaceMention } from './mention.ts';

const name = '([A-Za-z_][A-Za-z0-9_]{1,80})';
const script: readonly RegExp[] = [
  new RegExp(`\\bprocess\\.env(?:\\.${name}|\\[['"]${name}['"]\\])`, 'g'),
  new RegExp(`\\bimport\\.meta\\.env\\.${name}`, 'g'),
  new RegExp(`\\bDeno\\.env\\.get\\(['"]${name}['"]`, 'g'),
  new RegExp(`\\bBun\\.env\\.${name}`, 'g'),
];
const jvm: readonly RegExp[] = [new RegExp(`\\bSystem\\.getenv\\("${name}"`, 'g')];
const c: readonly RegExp[] = [new RegExp(`\\bgetenv\\("${name}"`, 'g')];

const patterns: ReadonlyMap<string, readonly RegExp[]> = new Map([
  ['JavaScript', script],
  ['TypeScript', script],
  ['Vue', script],
  ['Svelte', script],
  ['Astro', script],
  [
    'Python',
    [
      new RegExp(`\\benviron(?:\\.get\\(|\\.pop\\(|\\[)\\s{0,4}['"]${name}['"]`, 'g'),
      new RegExp(`\\bgetenv\\(\\s{0,4}['"]${name}['"]`, 'g'),
    ],
  ],
  ['Go', [new RegExp(`\\bos\\.(?:Getenv|LookupEnv)\\("${name}"`, 'g')]],
  [
    'Rust',
    [new RegExp(`\\benv::var(?:_os)?\\("${name}"`, 'g'), new RegExp(`\\b(?:option_)?env!\\("${name}"`, 'g')],
  ],
  ['Ruby', [new RegExp(`\\bENV(?:\\.fetch\\(|\\[)['"]${name}['"]`, 'g')]],
  [
    'PHP',
    [new RegExp(`\\b(?:getenv|env)\\(['"]${name}['"]`, 'g'), new RegExp(`\\$_ENV\\[['"]${name}['"]`, 'g')],
  ],
  ['Java', jvm],
  ['Kotlin', jvm],
  ['Scala', jvm],
  ['Groovy', jvm],
  ['C#', [new RegExp(`\\bEnvironment\\.GetEnvironmentVariable\\("${name}"`, 'g')]],
  ['Elixir', [new RegExp(`\\bSystem\\.(?:get_env|fetch_env!?)\\("${name}"`, 'g')]],
  ['C', c],
  ['C++', c],
  ['Perl', [new RegExp(`\\$ENV\\{['"]?${name}['"]?\\}`, 'g')]],
  ['Dart', [new RegExp(`\\bPlatform\\.environment\\[['"]${name}['"]`, 'g')]],
  ['Swift', [new RegExp(`\\.environment\\["${name}"`, 'g')]],
]);

// Set by the system, the shell or the build tool: nobody sets them for this program.
const ambient = new Set(
  'NODE_ENV PATH HOME PWD USER USERNAME SHELL TERM LANG TMPDIR TEMP TMP CI EDITOR VISUAL DISPLAY HOSTNAME APPDATA LOCALAPPDATA USERPROFILE COLORTERM NO_COLOR FORCE_COLOR MODE DEV PROD SSR BASE_URL OUT_DIR TARGET PROFILE HOST GITHUB_ACTIONS GITHUB_TOKEN PYTHONPATH VIRTUAL_ENV DEBUG GOPATH GOOS GOARCH RUST_LOG SYSTEMROOT COMSPEC WINDIR PROGRAMDATA PROGRAMFILES SHLVL LC_ALL VITEST JEST_WORKER_ID LOGNAME OS'.split(
    ' ',
  ),
);

const destructured = /^\s*(?:const|let|var)\s*\{([^{}]{1,300})\}\s*=\s*process\.env\b/;

export function readEnvironmentVariables(line: SideLine, language: string): SurfaceMention[] {
  const found: SurfaceMention[] = [];
  const { text } = line;
  const add = (variable: string | undefined): void => {
    if (variable && isSetByPeople(variable)) {
      found.push({ kind: 'environmentVariable', name: variable, text: '', line });
    }
  };
  for (const pattern of patterns.get(language) ?? []) {
    for (const match of text.matchAll(pattern)) {
      // What the program sets or deletes is for those that it starts.
      const behind = text.slice(match.index + match[0].length, match.index + match[0].length + 6);
      const isWritten =
        /^['"\])]{0,2}\s{0,2}=(?!=)/.test(behind) || /\b(?:delete|del) $/.test(text.slice(0, match.index));
      if (!isWritten) add(match[1] ?? match[2]);
    }
  }
  if (language === 'JavaScript' || language === 'TypeScript') {
    for (const part of destructured.exec(text)?.[1]?.split(',') ?? [])
      add(/^\s*([A-Z][A-Z0-9_]{1,80})\b/.exec(part)?.[1]);
  }
  return found;
}

/** Capitals are how people write those that are meant to be set. */
function isSetByPeople(variable: string): boolean {
  return /^[A-Z][A-Z0-9_]+$/.test(variable) && !ambient.has(variable) && !/^(?:CARGO|XDG)_/.test(variable);
}

/** Reads NAME=value, also where a comment sign shows that the value is the default. */
export function readDotenv(line: SideLine): SurfaceMention[] {
  const [, variable, value = ''] =
    /^\s*(?:#\s?)?(?:export\s+)?([A-Z][A-Z0-9_]{1,80})=(.*)$/.exec(line.text) ?? [];
  return variable ? [{ kind: 'environmentVariable', name: variable, text: value.trim(), line }] : [];
}
