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
  pathParts,
} from './file-places.ts';

interface Classification {
  kind: FileKind;
  language: string | null;
}

export interface KindedFile extends Classification {
  file: FileDiff;
}

export function classifyFile(file: FileDiff): Classification {
  // A submodule is another repository, whatever its path is called.
  if (file.isSubmodule) return { kind: 'vendored', language: null };
  const parts = pathParts(file.path);
  const opening = openingOf(file);
  const language = findLanguage(parts, opening);
  const kind = kindBeforePurpose(file, parts, opening, language) ?? kindByPurpose(file.path, parts, language);
  return { kind, language: kind === 'binary' ? null : language };
}

/** The kind of a file of which only the path is known. */
export const kindOfPath = (path: string): FileKind => {
  const parts = pathParts(path);
  return isLock(parts) ? 'lock' : kindByPurpose(path, parts, findLanguage(parts, ''));
};

const isLock = ({ name, ending }: PathParts): boolean => lockFiles.has(name) || ending === 'lock';

function kindBeforePurpose(
  file: FileDiff,
  parts: PathParts,
  opening: string,
  language: string | null,
): FileKind | null {
  if (isLock(parts)) return 'lock';
  if (file.isBinary) return 'binary';
  // For a renamed file without changes git prints no content, so its ending decides; an added file without content is
  // empty.
  const hasMoved = file.status === 'renamed' || file.status === 'copied';
  if (hasMoved && file.hunks.length === 0 && binaryEndings.has(parts.ending)) return 'binary';
  if (isVendoredPlace(parts)) return 'vendored';
  return isGeneratedPlace(parts) || looksGenerated(file, opening, language) ? 'generated' : null;
}

function kindByPurpose(path: string, parts: PathParts, language: string | null): FileKind {
  if (isFixturePlace(parts)) return 'test';
  if (isManifest(parts)) return 'manifest';
  // Templates of issues and pull requests configure the forge; Go packages are documented in doc.go.
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

// A marker must be a whole sentence in a comment: code that generates files contains the same words.
const markers: readonly RegExp[] = [
  /^[ +]\s{0,8}(?:\/\/|\/\*|#|\*|--|;|<!--|%|"""|\{-).{0,120}?(?:@generated\b|code generated\b.{0,120}do not edit|file (?:is|was|has been) (?:auto-?|automatically )?generated|do not (?:edit|modify)(?: this file| it)?(?: by hand| manually| directly)?[.!*;,-]{0,3}[ \t]{0,4}(?:\*\/|-->)?\r?$)/im,
  /^[ +]\s{0,8}(?:\/\/|\/\*|#|\*|--|;|<!--|%)[!*\s]{0,4}(?:auto-?generated\b|automatically generated\b|generated (?:by|from|with)\b)/im,
];
const markerWords = ['enerated', 'ENERATED', 'ot edit', 'OT EDIT', 'ot modify', 'OT MODIFY'];
const unreadableLine = 500;

function looksGenerated(file: FileDiff, opening: string, language: string | null): boolean {
  if (documentLanguages.has(language ?? '') || language === 'Ignore List') return false;
  // Plain searches are many times faster than the patterns, and nearly no file has any of the words.
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
// Structured text in these folders is data of the program.
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

/** Files larger than this are generated or data; reading more of them would not change their kind. */
const largestFile = 2 * 1024 * 1024;

export function skippedFor({ file, kind }: KindedFile): string | null {
  return unreadKinds[kind] ?? (file.bytes.length > largestFile ? 'too large to read' : null);
}

const endings = readTable(`
  ABAP: abap; ActionScript: as; Ada: adb ads; Agda: agda lagda; Apex: apex trigger; AppleScript: applescript scpt;
  AsciiDoc: adoc asciidoc asc; ASP: asp aspx ascx; Assembly: asm s nasm; Astro: astro; Awk: awk; Batchfile: bat cmd;
  Bicep: bicep; Blade: blade.php; C: c h; C#: cs csx; C++: cc cpp cxx c++ hpp hh hxx h++ ipp inl tpp cppm ixx;
  Cairo: cairo; Clojure: clj cljs cljc edn; CMake: cmake; COBOL: cob cbl; CoffeeScript: coffee litcoffee;
  Common Lisp: lisp cl; Crystal: cr; CSS: css pcss postcss; CSV: csv tsv; CUDA: cu cuh; CUE: cue;
  Cython: pyx pxd pxi; D: d di; Dart: dart; Dockerfile: dockerfile containerfile; Dotenv: env; EJS: ejs;
  Elixir: ex exs; Elm: elm; Emacs Lisp: el; ERB: erb rhtml; Erlang: erl hrl; F#: fs fsi fsx; Fish: fish;
  FlatBuffers: fbs; Fortran: f f77 f90 f95 f03 f08 for; GDScript: gd; Gherkin: feature; Gleam: gleam;
  GLSL: glsl vert frag geom comp; Go: go; Go Template: gohtml tmpl gotmpl tpl; Gradle: gradle;
  GraphQL: graphql gql graphqls; Groovy: groovy gvy gy gsh; Haml: haml; Handlebars: hbs handlebars mustache;
  Haskell: hs lhs hsc; Haxe: hx; HCL: hcl nomad; HLSL: hlsl fx; HTML: html htm xhtml; Idris: idr;
  INI: ini cfg conf cnf editorconfig; Java: java; JavaScript: js mjs cjs jsx es6; Jinja: j2 jinja jinja2;
  JSON: json jsonc json5 jsonl ndjson geojson webmanifest har avsc code-workspace; Jsonnet: jsonnet libsonnet;
  Julia: jl; Jupyter Notebook: ipynb; Kotlin: kt kts; LaTeX: tex sty cls bib; Lean: lean; Less: less;
  Liquid: liquid; LLVM: ll; Lua: lua luau; Makefile: mk mak make; Markdown: md markdown mdown mkd mdc rmd qmd;
  MATLAB: mat mlx; MDX: mdx; Meson: wrap; Mojo: mojo; Move: move;
  MSBuild: csproj fsproj vbproj vcxproj props targets proj sqlproj; Nim: nim nims nimble; Nix: nix; Nunjucks: njk;
  Objective-C: m; Objective-C++: mm; OCaml: ml mli mll mly; OpenCL: opencl; Org: org; Pascal: pas dpr lpr;
  Perl: pl pm pod t; PHP: php phtml php5 php7 phpt inc; Pkl: pkl; PL/SQL: pls plb pck pkb pks;
  PowerShell: ps1 psm1 psd1; Prisma: prisma; Prolog: pro prolog; Properties: properties;
  Property List: plist entitlements xcconfig; Protocol Buffers: proto textproto; Pug: pug jade; Puppet: pp epp;
  PureScript: purs; Python: py pyi pyw py3; QML: qml; R: r; RDoc: rdoc; Racket: rkt; Razor: cshtml razor;
  ReScript: res resi; reStructuredText: rst rest; Rego: rego; Ruby: rb rake gemspec ru podspec rbi rbs jbuilder;
  Rust: rs; Sass: sass; Scala: scala sc sbt; Scheme: scm ss sld; SCSS: scss; Shell: sh bash zsh ksh bats command;
  Slim: slim; Smarty: smarty; Solidity: sol; SQL: sql psql mysql ddl dml; Starlark: bzl star bazel; Stylus: styl;
  Svelte: svelte; SVG: svg; Swift: swift swiftinterface; SystemVerilog: sv svh; Tcl: tcl tk; Terraform: tf tfvars;
  Text: txt text; Thrift: thrift; TOML: toml; Twig: twig; TypeScript: ts mts cts tsx; Typst: typ; Vala: vala vapi;
  Verilog: v vh; VHDL: vhd vhdl; Vim Script: vim; Visual Basic: vb bas vbs; Vue: vue; WebAssembly: wat wast;
  WGSL: wgsl; XML: xml xsd xsl xslt xaml axaml resx nuspec wxs storyboard xib rdf wsdl xlf iml manifest;
  YAML: yml yaml; Zig: zig zon;
`);

const names = readTable(`
  CMake: cmakelists.txt; Dockerfile: dockerfile containerfile; Earthly: earthfile;
  Go Module: go.mod go.work go.sum go.work.sum; Groovy: jenkinsfile;
  Ignore List: .gitignore .dockerignore .npmignore .eslintignore .prettierignore .helmignore .gcloudignore
  .vercelignore .stylelintignore .ignore;
  Git Attributes: .gitattributes; Git Config: .gitconfig .gitmodules; CODEOWNERS: codeowners; Gradle: gradlew;
  INI: .editorconfig .npmrc .pylintrc .flake8 .coveragerc .pypirc .yarnrc .hgrc pylintrc;
  JSON: .prettierrc .eslintrc .babelrc .swcrc .jshintrc .jscsrc .nycrc .c8rc .mocharc .lintstagedrc .stylelintrc
  .all-contributorsrc .bowerrc .releaserc composer.lock pipfile.lock deno.lock flake.lock .watchmanconfig bun.lock;
  Just: justfile .justfile; Makefile: makefile gnumakefile; Meson: meson.build meson_options.txt meson.options;
  Nginx: nginx.conf; Perl: cpanfile makefile.pl; Procfile: procfile;
  Python: sconstruct sconscript wscript snakefile;
  Ruby: gemfile rakefile guardfile podfile fastfile appfile brewfile vagrantfile capfile dangerfile berksfile .irbrc
  .pryrc config.ru;
  Shell: .bashrc .bash_profile .zshrc .profile .envrc pkgbuild apkbuild .xinitrc .bash_aliases;
  Starlark: build workspace module.bazel tiltfile;
  Text: license licence copying notice authors contributors readme changelog changes news todo maintainers version;
  TOML: pipfile cargo.lock poetry.lock uv.lock pdm.lock gopkg.lock;
  YAML: .clang-format .clang-tidy .gemrc yarn.lock .yarnrc.yml pubspec.lock podfile.lock chart.lock buf.lock;
`);

const interpreters = readTable(`
  JavaScript: node nodejs bun; Lua: lua luajit; Perl: perl; PHP: php; Python: python python2 python3 pypy pypy3;
  Ruby: ruby jruby; Shell: sh bash dash zsh ksh ash; Fish: fish; PowerShell: pwsh; TypeScript: deno ts-node tsx;
  Awk: awk gawk; Tcl: tclsh wish; Elixir: elixir; Groovy: groovy; R: rscript;
`);

function readTable(table: string): [language: string, words: string[]][] {
  return table.split(';').flatMap((entry) => {
    const [language = '', words] = entry.trim().split(/:\s+/);
    return words === undefined ? [] : [[language, words.split(/\s+/)]];
  });
}

const invert = (table: [string, string[]][]): ReadonlyMap<string, string> =>
  new Map(table.flatMap(([language, words]) => words.map((word) => [word, language])));

export const languageByEnding = invert(endings);
const languageByFileName = invert(names);
const languageByInterpreter = invert(interpreters);

// License headers precede markers; reading past longer headers would cost too much time for every file.
const openingBytes = 1500;
const hunkMark = Buffer.from('\n@@ ');

export function openingOf(file: FileDiff): string {
  const [first] = file.hunks;
  if (!first || Math.min(first.oldStart, first.newStart) > 3) return '';
  const heading = file.bytes.indexOf(hunkMark);
  const start = heading < 0 ? -1 : file.bytes.indexOf(10, heading + 1);
  return start < 0 ? '' : file.bytes.toString('latin1', start + 1, start + openingBytes);
}

const shebang =
  /^[ +-]#!\s{0,4}(?:\/usr\/bin\/env\s{1,4}(?:-S\s{1,4})?)?(?:[\w./-]{0,80}\/)?([a-z][\w-]{0,30})/;

export function findLanguage({ name, ending, directories }: PathParts, opening: string): string | null {
  const byName = languageByFileName.get(name);
  if (byName) return byName;
  if (ending !== '') {
    if (name.endsWith('.blade.php')) return 'Blade';
    // LaTeX also uses .cls, but only Apex classes are in a folder called "classes".
    if (ending === 'cls' && directories.includes('classes')) return 'Apex';
    const byEnding = languageByEnding.get(ending);
    if (byEnding) return byEnding;
  }
  if (name.startsWith('dockerfile') || name.endsWith('.dockerfile')) return 'Dockerfile';
  if (name.startsWith('.env')) return 'Dotenv';
  if (name.startsWith('makefile')) return 'Makefile';
  const interpreter = ending === '' ? shebang.exec(opening)?.[1]?.toLowerCase() : undefined;
  return (interpreter && languageByInterpreter.get(interpreter.replace(/(?<![\d.])[\d.]+$/, ''))) ?? null;
}
