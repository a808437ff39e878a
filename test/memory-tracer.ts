import { AsyncLocalStorage } from 'node:async_hooks';
import { type Context, context, ROOT_CONTEXT, type Span, type SpanContext, trace } from '@opentelemetry/api';

/** A finished span. */
interface EndedSpan {
  name: string;
  attributes: Record<string, unknown>;
  isError: boolean;
  traceId: string;
  parentSpanId: string | null;
  spanId: string;
}

/** Records spans in memory, as an SDK does; must be called before the service is loaded. Returns the finished spans. */
export function registerMemoryTracer(): EndedSpan[] {
  const ended: EndedSpan[] = [];
  let made = 0;
  const idOf = (length: number) => {
    made += 1;
    return made.toString(16).padStart(length, '0');
  };
  const startSpan = (
    name: string,
    { attributes = {} }: { attributes?: object } = {},
    parent = context.active(),
  ) => {
    const above = trace.getSpanContext(parent);
    const own: SpanContext = { traceId: above?.traceId ?? idOf(32), spanId: idOf(16), traceFlags: 1 };
    const one = { name, attributes: { ...attributes }, isError: false };
    const span: Span = {
      spanContext: () => own,
      setAttribute: (key, value) => span.setAttributes({ [key]: value }),
      setAttributes: (more) => Object.assign(one.attributes, more) && span,
      addEvent: () => span,
      addLink: () => span,
      addLinks: () => span,
      setStatus: ({ code }) => Object.assign(one, { isError: code === 2 }) && span,
      updateName: (other) => Object.assign(one, { name: other }) && span,
      end: () => void ended.push({ ...one, ...own, parentSpanId: above?.spanId ?? null }),
      isRecording: () => true,
      recordException: () => {},
    };
    return span;
  };
  const startActiveSpan = (name: string, ...rest: unknown[]) => {
    const work = rest.at(-1) as (span: Span) => unknown;
    const span = startSpan(name, rest.length > 1 ? (rest[0] as object) : {});
    return context.with(trace.setSpan(context.active(), span), () => work(span));
  };
  trace.setGlobalTracerProvider({ getTracer: () => ({ startSpan, startActiveSpan }) as never });
  const storage = new AsyncLocalStorage<Context>();
  context.setGlobalContextManager({
    active: () => storage.getStore() ?? ROOT_CONTEXT,
    with: (active, work, self, ...given) => storage.run(active, () => work.apply(self as never, given)),
    bind: (_active, target) => target,
    enable() {
      return this;
    },
    disable() {
      return this;
    },
  });
  return ended;
}
