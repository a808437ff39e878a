import { findLanguage, openingOf } from './classify-file.ts';
import type { FileDiff } from './file-diff.ts';
import { pathParts } from './file-places.ts';

export interface Fence {
  open: RegExp;
  close: RegExp;
}

export interface CommentSigns {
  line: RegExp;
  fences: Fence[];
  documents: Fence[];
}

interface Family {
  signs: string[];
  fences?: Fence[];
  documents?: Fence[];
  languages: string;
}

const block: Fence = {
  open: /^\s*\{?\/\*|^[^"'`]*[\s;{}()]\/\*(?!.{0,1000}\*\/)/,
  close: /\*\/(?![*\w])/,
};
const markup: Fence = { open: /<!--/, close: /-->/ };
const inTemplate: Fence = { open: /\{#/, close: /#\}/ };

const slashes = ['\\/\\/[/!]?', '\\{?\\/\\*[*!]?', '\\*(?=[\\s/`]|$)'];
/** After `#`, these characters begin a shebang, an attribute or an interpolated value instead of a comment. */
const hash = '#+(?![#!{[]):?';
const dashes = '--+';
const opensMarkup = '<!--';

const families: Family[] = [
  {
    signs: slashes,
    fences: [block],
    languages:
      'ActionScript, Apex, Bicep, C, C#, C++, Cairo, CSS, CUDA, CUE, D, Dart, FlatBuffers, GLSL, Gleam, Go, Go Module, Gradle, Groovy, Haxe, HLSL, Java, JavaScript, JSON, Kotlin, Less, Move, Objective-C, Objective-C++, OpenCL, Pkl, Prisma, Protocol Buffers, Pug, QML, ReScript, Rust, Sass, Scala, SCSS, Solidity, Stylus, Swift, SystemVerilog, TypeScript, Typst, Vala, Verilog, WGSL, Zig, AsciiDoc',
  },
  {
    signs: [hash],
    languages:
      'Awk, CMake, CODEOWNERS, CoffeeScript, Crystal, Dockerfile, Dotenv, Earthly, Fish, GDScript, Gherkin, Git Attributes, Ignore List, Just, Makefile, Meson, Nginx, Nim, Perl, Procfile, Properties, Puppet, R, Rego, Shell, Tcl, TOML, YAML',
  },
  {
    signs: [hash],
    documents: [
      { open: /^\s*[rRuU]?"""/, close: /"""/ },
      { open: /^\s*[rRuU]?'''/, close: /'''/ },
    ],
    languages: 'Cython, Mojo, Python, Starlark, GraphQL',
  },
  {
    signs: [hash],
    documents: [{ open: /^\s*@(?:module|type|short)?doc\s+(?:~[sS])?"""/, close: /^\s*"""/ }],
    languages: 'Elixir',
  },
  {
    signs: [hash],
    fences: [{ open: /^\s*#=/, close: /=#/ }],
    documents: [{ open: /^\s*(?:@doc\s+)?(?:raw)?"""/, close: /"""/ }],
    languages: 'Julia',
  },
  { signs: [hash], fences: [{ open: /^\s*=begin\b/, close: /^\s*=end\b/ }], languages: 'Ruby' },
  { signs: [hash, '<#'], fences: [{ open: /<#/, close: /#>/ }], languages: 'PowerShell' },
  { signs: [hash, ...slashes], fences: [block], languages: 'HCL, Jsonnet, Nix, PHP, Terraform, Thrift' },
  { signs: [hash, ';+'], languages: 'Git Config, INI' },
  { signs: [';+', '#\\|', '#;'], languages: 'Clojure, Common Lisp, Emacs Lisp, Racket, Scheme' },
  { signs: [dashes], fences: [{ open: /--\[=*\[/, close: /\]=*\]/ }], languages: 'Lua' },
  { signs: [dashes, ...slashes, '\\{#'], fences: [block, inTemplate], languages: 'PL/SQL, SQL' },
  {
    // In these languages operators may consist of the same characters.
    signs: ['--+(?=\\s|$)(?:\\s[|^])?', '\\{-(?!#)\\|?'],
    fences: [{ open: /\{-(?!#)/, close: /-\}/ }],
    languages: 'Elm, Haskell, PureScript',
  },
  { signs: ['%+'], languages: 'Erlang, LaTeX' },
  { signs: ['::', '@?rem\\s'], languages: 'Batchfile' },
  { signs: [opensMarkup], fences: [markup], languages: 'HTML, Markdown, MSBuild, SVG, XML' },
  {
    signs: [opensMarkup, ...slashes],
    fences: [markup, block],
    languages: 'Astro, MDX, Property List, Svelte, Vue',
  },
  {
    signs: [opensMarkup, '\\{#', '\\{\\{!', '<%#'],
    fences: [markup, inTemplate],
    languages: 'Blade, EJS, ERB, Handlebars, Jinja, Liquid, Nunjucks, Twig',
  },
  // File formats without comments.
  { signs: [], languages: 'CSV, Jupyter Notebook, RDoc, reStructuredText, Text' },
];

const nothing = '(?!)';

const signsByLanguage: ReadonlyMap<string, CommentSigns> = new Map(
  families.flatMap(({ signs, fences = [], documents = [], languages }) => {
    const line = new RegExp(`^\\s*(?:${signs.join('|') || nothing})\\s?`, 'i');
    return languages.split(', ').map((language) => [language, { line, fences, documents }] as const);
  }),
);

/** In an unknown language only ordinary words distinguish a comment from code. */
const unknown: CommentSigns = {
  line: /^\s*(?:\/\/+|#+|--+|;+|%+|\/?\*+|<!--|\(\*|\{-)\s+(?!\s)(?=[\p{L}\p{N}\s'’"“”(),.:!?/`-]+$)(?=.*?(?<!\p{L})\p{L}{2,}[,:]?\s+\p{L}+[,:]?\s+\p{L})/u,
  fences: [],
  documents: [],
};

export const commentSigns = (language: string | null): CommentSigns =>
  (language === null ? undefined : signsByLanguage.get(language)) ?? unknown;

export const commentEnd = /(?<!\s)\s*(?:\*\/\}?|-->|\*\)|-\}|-\/|\|#|#\})\s*$/;

export const commentSignsIn = (file: FileDiff): CommentSigns =>
  commentSigns(findLanguage(pathParts(file.path), openingOf(file)));
