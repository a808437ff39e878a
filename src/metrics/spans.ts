import type { Attributes, Context, Span } from '@opentelemetry/api';

/** The key under which every version 1 of OpenTelemetry's API keeps what an SDK has registered. */
const registered = Symbol.for('opentelemetry.js.api.1');

/** Loaded only if an SDK was loaded before the program, so that spans cost nothing without one. */
const api = Reflect.has(globalThis, registered) ? await import('@opentelemetry/api') : null;
const tracer = api?.trace.getTracer('pullquote');

/** Adds attributes to a span. They must not contain names of repositories and people. */
type Describe = (attributes: Attributes) => void;

/**
 * Runs some work inside a span, which ends with it and records whether it failed, but not why, because errors contain
 * names.
 */
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
  /** Runs a function inside the span. Bodies arrive outside of it, so it must be entered again. */
  enter: (work: () => void) => void;
  end: (answered: { method: string; route: string | undefined; status: number }) => void;
}

/** Begins a span under the one in the request's headers; null without an SDK. */
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
