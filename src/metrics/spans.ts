import type { Attributes, Context, Span } from '@opentelemetry/api';

/** Where every copy of OpenTelemetry's API, of any version 1, keeps what an SDK has registered. */
const registered = Symbol.for('opentelemetry.js.api.1');

/** Loaded where an SDK is there, which comes before the program: without one, spans cost nothing. */
const api = Reflect.has(globalThis, registered) ? await import('@opentelemetry/api') : null;
const tracer = api?.trace.getTracer('pullquote');

/** Adds to what a span says. Names of repositories and people have no place in it. */
type Describe = (attributes: Attributes) => void;

/** Does some work inside a span, which ends with it and says whether it failed, but not why: errors quote names. */
export function inSpan<Result>(
  name: string,
  attributes: Attributes,
  work: (describe: Describe) => Promise<Result>,
): Promise<Result> {
  if (!api || !tracer) return work(() => {});
  return tracer.startActiveSpan(name, { attributes }, async (span) => {
    try {
      return await work((more) => void span.setAttributes(more));
    } catch (error) {
      span.setStatus({ code: api.SpanStatusCode.ERROR });
      throw error;
    } finally {
      span.end();
    }
  });
}

export interface RequestSpan {
  /** Does something inside of the span; bodies arrive outside of it, so that it has to be entered again. */
  enter: (work: () => void) => void;
  end: (answered: { method: string; route: string | undefined; status: number }) => void;
}

/** Begins a span under the one that the caller names in its headers; null without an SDK. */
export const beginRequestSpan: ((headers: object) => RequestSpan) | null =
  api && tracer
    ? (headers) => {
        const parent = api.propagation.extract(api.ROOT_CONTEXT, headers);
        const span = tracer.startSpan('request', { kind: api.SpanKind.SERVER }, parent);
        const context: Context = api.trace.setSpan(parent, span);
        return {
          enter: (work) => api.context.with(context, work),
          end: (answered) => endRequestSpan(span, answered, api.SpanStatusCode.ERROR),
        };
      }
    : null;

function endRequestSpan(
  span: Span,
  { method, route = 'none', status }: Parameters<RequestSpan['end']>[0],
  error: number,
): void {
  span.updateName(`${method} ${route}`);
  span.setAttributes({
    'http.request.method': method,
    'http.route': route,
    'http.response.status_code': status,
  });
  if (status >= 500) span.setStatus({ code: error });
  span.end();
}
