interface Schema {
  $ref?: string;
  enum?: unknown[];
  type?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
}

interface Parameter {
  $ref?: string;
  name?: string;
  in?: string;
  example?: unknown;
  schema?: Schema;
}

interface Response {
  $ref?: string;
  description?: string;
  content?: Record<string, { schema?: Schema }>;
}

interface Operation {
  parameters?: Parameter[];
  responses?: Record<string, Response>;
}

interface Components {
  schemas?: object;
  responses?: object;
  parameters?: object;
}

/** What an OpenAPI document consists of, as far as it repeats itself. */
interface Document {
  paths?: object;
  components?: Components;
}

/**
 * What operations have in common is said once in the document, under a name: failures, envelopes and parameters. Programs that
 * are generated from it then have one type for each. Nothing that is validated or answered changes.
 */
export function shareComponents<T extends Document>(document: T): T {
  const responses = new Named('responses');
  const schemas = new Named('schemas');
  const parameters = new Named('parameters');
  for (const operation of operationsOf(document)) {
    if (operation.parameters)
      operation.parameters = operation.parameters.map((parameter) =>
        parameters.share(sayAnyHost(parameter), nameOfParameter(parameter)),
      );
    for (const [status, response] of Object.entries(operation.responses ?? {})) {
      for (const media of Object.values(response.content ?? {}))
        if (media.schema) media.schema = schemas.share(media.schema, nameOfEnvelope(media.schema));
      Object.assign(operation.responses ?? {}, {
        [status]: responses.share(response, nameOfFailure(response)),
      });
    }
  }
  const { components = {} } = document;
  components.schemas = { ...components.schemas, ...schemas.all };
  components.responses = responses.all;
  components.parameters = parameters.all;
  return document;
}

const operationsOf = ({ paths = {} }: Document): Operation[] =>
  Object.values(paths).flatMap((methods) => Object.values<Operation>(methods));

/** Components of one kind. What has the name of another that differs from it stays where it is. */
class Named {
  readonly all: Record<string, object> = {};
  readonly #kind: keyof Components;

  constructor(kind: keyof Components) {
    this.#kind = kind;
  }

  share<T extends { $ref?: string }>(one: T, name: string | null): T | { $ref: string } {
    if (name === null) return one;
    this.all[name] ??= one;
    const isSame = JSON.stringify(this.all[name]) === JSON.stringify(one);
    return isSame ? { $ref: `#/components/${this.#kind}/${name}` } : one;
  }
}

const capitalized = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1).toLowerCase();

/** By its codes, which are all that its description says: `HostErrorOrAiError`; `ForbiddenOrPage` where browsers are shown a page. */
function nameOfFailure({ description = '', content }: Response): string | null {
  if (refName(content?.[json]?.schema) !== 'ErrorResponse') return null;
  const others = Object.keys(content ?? {}).length > 1 ? ['Page'] : [];
  const codes = [...description.matchAll(/`([A-Z_]+)`/g)].map(([, code = '']) => code);
  return [...codes.map((code) => code.split('_').map(capitalized).join('')), ...others].join('Or');
}

/** By what is in it: `UserAnswer`, `ArticleSummaryListAnswer`. */
function nameOfEnvelope({ properties: { success, data } = {} }: Schema): string | null {
  if (!success || !data) return null;
  const single = refName(data);
  if (single) return `${single}Answer`;
  const listed = refName(data.properties?.items?.items);
  if (listed) return `${listed}ListAnswer`;
  return Object.keys(data.properties ?? {}).length === 0 ? 'EmptyAnswer' : null;
}

const nameOfParameter = ({ name, in: place }: Parameter): string | null =>
  name && place ? `${name}In${capitalized(place)}` : null;

const refName = (schema: Schema | undefined): string | null => schema?.$ref?.split('/').at(-1) ?? null;

/** Which code hosts there are, each service decides for itself: a client for one is a client for all. */
function sayAnyHost(parameter: Parameter): Parameter {
  const isHost = parameter.name === 'host' && parameter.in === 'query';
  return isHost ? { ...parameter, example: 'github', schema: { type: 'string' } } : parameter;
}

const json = 'application/json';
