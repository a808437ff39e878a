import type { FileDiff } from './file-diff.ts';
import type { PathParts } from './file-places.ts';

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
export const languageByFileName = invert(names);
const languageByInterpreter = invert(interpreters);

// Licence headers stand before markers; longer ones are not worth the time for every file.
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
    // A LaTeX class is alone, those of a program are among others.
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
