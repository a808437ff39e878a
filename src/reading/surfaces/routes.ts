import type { SideLine } from '../hunk-sides.ts';
import type { PathParts } from '../path-parts.ts';
import type { SurfaceMention } from './mention.ts';

type Reader = (text: string, parts: PathParts) => string[];

const methods = 'get|post|put|patch|delete|head|options|all|any';
const join = (method: string | undefined, path: string | undefined): string[] =>
  method && path ? [`${method.toUpperCase()} ${path}`] : [];

const scriptReceiver =
  '(?:app|router|server|fastify|instance|hono|koa|routes?|[a-z]\\w{0,30}(?:App|Router|Routes)|v\\d)';
const scriptRoute = new RegExp(
  `^\\s*(?:export )?(?:await )?(?:const \\w{1,30} = )?${scriptReceiver}\\.(${methods})\\(\\s{0,2}['"\`](/[^'"\`\\s]{0,200})['"\`]\\s{0,2},`,
);
// In a chain only the handler behind the path tells a route from a request.
const chainedRoute = new RegExp(
  `^\\s*\\.(${methods})\\(\\s{0,2}['"\`](/[^'"\`\\s]{0,200})['"\`]\\s{0,2},\\s{0,2}(?:async )?(?:\\(\\w{0,20}\\)? ?(?:=>|,|:)|function\\b|\\w{0,40}(?:[hH]andler|[cC]ontroller)\\b)`,
);
const objectRoute = /\bmethod: ['"]([A-Z]{3,7})['"],\s{0,2}(?:url|path): ['"`](\/[^'"`\s]{0,200})['"`]/;

// A table of routes: the method, the path or a pattern for it, and who answers.
const tableRoute =
  /^\s*\[\s?['"](GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)['"],\s{0,2}(?:['"`](\/[^'"`\s]{0,200})['"`]|(\/\^?\\\/[^\s,]{1,200}\/[a-z]{0,4})),\s{0,2}[A-Za-z_$(]/;

function readScript(text: string): string[] {
  const [, verb, plain, pattern] = tableRoute.exec(text) ?? [];
  if (verb) return join(verb, plain ?? pattern);

  const [, method, path] = scriptRoute.exec(text) ?? chainedRoute.exec(text) ?? objectRoute.exec(text) ?? [];
  return join(method, path);
}

const decorated =
  /^\s*@\w{1,40}(?:\.\w{1,40})?\.(route|get|post|put|patch|delete|head|options|websocket)\(\s{0,2}(?:path=)?[rf]?['"](\/[^'"\s]{0,200})['"](.*)$/;
const djangoPath =
  /^\s*(?:path|re_path|url)\(\s{0,2}r?['"]([^'"\s]{0,200})['"]\s{0,2},\s{0,2}(?!include\b)\w/;

function readPython(text: string, { name }: PathParts): string[] {
  const [, method, path, rest = ''] = decorated.exec(text) ?? [];
  if (method && path) return method === 'route' ? flaskRoutes(path, rest) : join(method, path);
  if (name !== 'urls.py') return [];
  const plain = djangoPath.exec(text)?.[1];
  return plain === undefined ? [] : [plain === '' ? '/' : plain];
}

function flaskRoutes(path: string, rest: string): string[] {
  const list = /\bmethods=[[({]([^\])}]{1,100})/.exec(rest)?.[1];
  const names = list?.match(/[A-Z]{3,7}/g);
  return names ? names.map((method) => `${method} ${path}`) : [path];
}

const goHandle =
  /\b(?:http|mux|router|r|m|srv|server|s\.mux|s\.router)\.(?:Handle|HandleFunc)\("((?:[A-Z]{3,7} )?\/[^"\s]{0,200})"\s{0,2},/;
const goMethod =
  /^\s*(?:\w{1,20}\.)?(?:r|e|g|app|api|router|mux|engine|group|v\d|\w{1,30}(?:Router|Group|Routes|API))\.(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS|Any|Get|Post|Put|Patch|Delete|Head|Options)\("(\/[^"\s]{0,200})"\s{0,2},/;

function readGo(text: string): string[] {
  const handled = goHandle.exec(text)?.[1];
  if (handled) return [handled];
  const [, method, path] = goMethod.exec(text) ?? [];
  return join(method, path);
}

const sinatra = /^\s*(get|post|put|patch|delete)\s+['"](\/[^'"\s]{0,200})['"]\s+do\b/;
const rails = /^\s*(get|post|put|patch|delete)[\s(]\s{0,2}['"]([^'"\s]{1,200})['"]/;
const railsResource = /^\s*resources?\s+:(\w{1,80})/;

function readRuby(text: string, { path }: PathParts): string[] {
  if (!path.endsWith('config/routes.rb') && !path.includes('config/routes/')) {
    const [, method, route] = sinatra.exec(text) ?? [];
    return join(method, route);
  }
  const [, method, route] = rails.exec(text) ?? [];
  if (method) return join(method, route);
  const resource = railsResource.exec(text)?.[1];
  return resource ? [`/${resource}`] : [];
}

const springMapping =
  /^\s*@(Get|Post|Put|Patch|Delete|Request)Mapping\(\s{0,2}(?:(?:value|path)\s?=\s?)?[{[]?\s?"(\/?[^"\s]{0,200})"/;
const jaxPath = /^\s*@Path\("([^"\s]{1,200})"\)/;

function readSpring(text: string): string[] {
  const [, method, path] = springMapping.exec(text) ?? [];
  if (method && path) return method === 'Request' ? [path] : join(method, path);
  const plain = jaxPath.exec(text)?.[1];
  return plain ? [plain] : [];
}

const axum = /\.route\(\s{0,2}"(\/[^"\s]{0,200})"\s{0,2},\s{0,2}(.{1,300})$/;
const attribute = /^\s*#\[(get|post|put|patch|delete|head|options)\(\s{0,2}"(\/[^"\s]{0,200})"/;

function readRust(text: string): string[] {
  const [, method, path] = attribute.exec(text) ?? [];
  if (method) return join(method, path);
  const [, route, handlers = ''] = axum.exec(text) ?? [];
  if (!route) return [];
  const named = [...handlers.matchAll(/\b(get|post|put|patch|delete|head|options|any)\(/g)];
  return named.flatMap(([, verb]) => join(verb, route));
}

const laravel = /^\s*Route::(get|post|put|patch|delete|any)\(\s{0,2}['"]([^'"\s]{1,200})['"]/;
const symfony = /^\s*#\[Route\(\s{0,2}(?:path: )?['"](\/[^'"\s]{0,200})['"](.*)$/;

function readPhp(text: string): string[] {
  const [, method, path] = laravel.exec(text) ?? [];
  if (method) return join(method, path);
  const [, route, rest = ''] = symfony.exec(text) ?? [];
  if (!route) return [];
  const verbs = /methods: ?\[?([^\])]{1,80})/.exec(rest)?.[1]?.match(/[A-Z]{3,7}/g);
  return verbs ? verbs.map((verb) => `${verb} ${route}`) : [route];
}

const mapped = /^\s*\w{1,30}\.Map(Get|Post|Put|Patch|Delete)\("([^"\s]{1,200})"/;
const annotated = /^\s*\[Http(Get|Post|Put|Patch|Delete)\("([^"\s]{1,200})"/;

function readDotnet(text: string): string[] {
  const [, method, path] = mapped.exec(text) ?? annotated.exec(text) ?? [];
  return join(method, path);
}

const phoenix = /^\s*(get|post|put|patch|delete|live)[\s(]\s{0,2}"(\/[^"\s]{0,200})"\s{0,2},\s{0,2}[A-Z]/;

function readPhoenix(text: string): string[] {
  const [, method, path] = phoenix.exec(text) ?? [];
  return join(method, path);
}

const readers: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ['JavaScript', readScript],
  ['TypeScript', readScript],
  ['Python', readPython],
  ['Go', readGo],
  ['Ruby', readRuby],
  ['Java', readSpring],
  ['Kotlin', readSpring],
  ['Rust', readRust],
  ['PHP', readPhp],
  ['C#', readDotnet],
  ['Elixir', readPhoenix],
]);

/** Routes are named by their method and path, as far as the line shows them. */
export function readRoutes(line: SideLine, language: string, parts: PathParts): SurfaceMention[] {
  const read = readers.get(language);
  return read ? read(line.text, parts).map((name) => ({ kind: 'route', name, text: '', line })) : [];
}
