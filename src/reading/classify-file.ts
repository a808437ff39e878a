import { wordSet } from '../domain/text.ts';
import type { FileKind } from './facts.ts';
import type { FileDiff } from './file-diff.ts';
import {
  binaryEndings,
  buildEndings,
  builders,
  buildFiles,
  configurationFiles,
  configurationLanguages,
  documentLanguages,
  documentStems,
  isDocumentPlace,
  isFixturePlace,
  isGeneratedPlace,
  isShippedPlace,
  isSpecPlace,
  isTestDirectory,
  isTestName,
  isVendoredPlace,
  lockFiles,
  manifestEndings,
  manifestFiles,
  type PathParts,
  partsOf,
} from './file-places.ts';
import { findLanguage, openingOf } from './programming-languages.ts';

interface Classification {
  kind: FileKind;
  language: string | null;
}

export interface KindedFile extends Classification {
  file: FileDiff;
}

export function classifyFile(file: FileDiff): Classification {
  // Another repository at this place: somebody else's work, whatever it is called.
  if (file.isSubmodule) return { kind: 'vendored', language: null };
  const parts = partsOf(file.path);
  const opening = openingOf(file);
  const language = findLanguage(parts, opening);
  const kind = kindBeforePurpose(file, parts, opening, language) ?? kindByPurpose(file.path, parts, language);
  return { kind, language: kind === 'binary' ? null : language };
}

function kindBeforePurpose(
  file: FileDiff,
  parts: PathParts,
  opening: string,
  language: string | null,
): FileKind | null {
  if (lockFiles.has(parts.name) || parts.ending === 'lock') return 'lock';
  if (file.isBinary) return 'binary';
  // Git says nothing of the content when only the name changed; what comes or goes without any is empty.
  const hasMoved = file.status === 'renamed' || file.status === 'copied';
  if (hasMoved && file.hunks.length === 0 && binaryEndings.has(parts.ending)) return 'binary';
  if (isVendoredPlace(parts)) return 'vendored';
  return isGeneratedPlace(parts) || looksGenerated(file, opening, language) ? 'generated' : null;
}

function kindByPurpose(path: string, parts: PathParts, language: string | null): FileKind {
  if (isFixturePlace(parts)) return 'test';
  if (isManifest(parts)) return 'manifest';
  // A forge asks with these what reports should say; Go keeps what documents a package in a file of its own.
  if (parts.directories.at(-1) === 'issue_template' || /^(?:issue|pull_request)_template\./.test(parts.name))
    return 'configuration';
  if (parts.name === 'doc.go') return 'documentation';
  if (isDocument(parts, language)) return 'documentation';
  if (isAutomation(parts)) return 'build';
  const isTest = (isTestName(parts, path) && !isShippedPlace(parts)) || isTestDirectory(parts);
  if (isTest || isSpecPlace(parts)) return 'test';
  if (isBuild(parts, language)) return 'build';
  if (isDocumentPlace(parts)) return 'documentation';
  return isConfiguration(parts, language) ? 'configuration' : 'source';
}

// Only a whole sentence counts: code that writes generated files, or speaks of them, has the same words in it.
const markers: readonly RegExp[] = [
  /^[ +]\s{0,8}(?:\/\/|\/\*|#|\*|--|;|<!--|%|"""|\{-).{0,120}?(?:@generated\b|code generated\b.{0,120}do not edit|file (?:is|was|has been) (?:auto-?|automatically )?generated|do not (?:edit|modify)(?: this file| it)?(?: by hand| manually| directly)?[.!*;,-]{0,3}[ \t]{0,4}(?:\*\/|-->)?\r?$)/im,
  /^[ +]\s{0,8}(?:\/\/|\/\*|#|\*|--|;|<!--|%)[!*\s]{0,4}(?:auto-?generated\b|automatically generated\b|generated (?:by|from|with)\b)/im,
];
const markerWords = ['enerated', 'ENERATED', 'ot edit', 'OT EDIT', 'ot modify', 'OT MODIFY'];
const unreadableLine = 500;

function looksGenerated(file: FileDiff, opening: string, language: string | null): boolean {
  if (documentLanguages.has(language ?? '') || language === 'Ignore List') return false;
  // Plain searches are many times faster than the patterns, and nearly every file has none of the words.
  if (markerWords.some((word) => opening.includes(word))) {
    const standing = file.status === 'removed' ? opening.replaceAll(/^-/gm, '+') : opening;
    if (markers.some((marker) => marker.test(standing))) return true;
  }
  if (language !== 'JavaScript' && language !== 'CSS') return false;
  const lines = file.additions + file.deletions + file.hunks.length * 7 + 5;
  return file.bytes.length / lines > unreadableLine;
}

function isManifest({ name, ending, directories }: PathParts): boolean {
  if (manifestFiles.has(name) || manifestEndings.has(ending)) return true;
  if (ending !== 'txt' && ending !== 'in') return false;
  return (
    name.startsWith('requirements') ||
    name.startsWith('constraints') ||
    name.endsWith('requirements.txt') ||
    directories.at(-1) === 'requirements'
  );
}

function isDocument(parts: PathParts, language: string | null): boolean {
  const { name, path, directories, ending } = parts;
  if (language === 'Text' && name.endsWith('.txt') && !documentStems.has(name.slice(0, -4)))
    return directories.includes('docs') || directories.includes('doc');
  if (language !== null && documentLanguages.has(language)) return true;
  if (directories[0] === '.github' && (path.includes('issue_template') || name === 'funding.yml'))
    return true;
  if (/^man\d?$/.test(directories.at(-1) ?? '') && /^\d/.test(ending)) return true;
  if (name === 'mkdocs.yml' || name === 'book.toml' || name === 'cname') return true;
  const isPlain = language === null || language === 'HTML';
  return isPlain && documentStems.has(name.split(/[.-]/, 1)[0] ?? '');
}

const automationDirectories = wordSet('.circleci .buildkite .gitlab .azure-pipelines .tekton .teamcity');
const githubAutomation: ReadonlySet<string> = new Set(['workflows', 'actions', 'scripts']);

function isAutomation({ directories }: PathParts): boolean {
  const [first = '', second = ''] = directories;
  if (first === '.github') return githubAutomation.has(second);
  return automationDirectories.has(first);
}

const scriptDirectories = wordSet('scripts script ci build hack tools .ci');
const buildPrefixes = ['dockerfile.', 'docker-compose.', 'makefile.', 'azure-pipelines'];
const shells: ReadonlySet<string | null> = new Set(['Shell', 'PowerShell', 'Batchfile']);

function isBuild({ name, ending, directories }: PathParts, language: string | null): boolean {
  if (buildFiles.has(name) || buildEndings.has(ending)) return true;
  if (buildPrefixes.some((prefix) => name.startsWith(prefix))) return true;
  const dot = name.indexOf('.');
  if (dot > 0 && builders.has(name.slice(0, dot)) && name.startsWith('config', dot + 1)) return true;
  if (!shells.has(language)) return false;
  return directories.some((directory) => scriptDirectories.has(directory));
}

const toolConfiguration = /\.(?:config|conf)\.[cm]?[jt]s$|^\.[\w-]+rc(?:\.[cm]?[jt]s)?$/;
// Structured text in these is what the program shows, serves or is made of.
const dataDirectories = wordSet(`
  locale locales i18n l10n lang languages translations messages data schemas schema res assets public static
`);

function isConfiguration({ name, directories }: PathParts, language: string | null): boolean {
  if (configurationFiles.has(name) || toolConfiguration.test(name) || name.startsWith('.env')) return true;
  if (directories.some((directory) => dataDirectories.has(directory)) || isSchema(name)) return false;
  if (language !== null && configurationLanguages.has(language)) return true;
  if (language !== null) return false;
  return name.startsWith('.') || directories.some((directory) => directory.startsWith('.'));
}

function isSchema(name: string): boolean {
  return name.endsWith('schema.json') || name.startsWith('openapi.') || name.startsWith('swagger.');
}

const unreadKinds: Partial<Record<FileKind, string>> = {
  lock: 'lock file',
  generated: 'generated file',
  vendored: 'vendored file',
  binary: 'binary file',
};

/** A file this large was not written in one go by a person, and reading on would not tell more. */
const largestFile = 2 * 1024 * 1024;

export function skippedFor({ file, kind }: KindedFile): string | null {
  return unreadKinds[kind] ?? (file.bytes.length > largestFile ? 'too large to read' : null);
}
