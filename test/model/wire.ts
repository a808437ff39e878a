/** The behaviour of a model for one request, in any protocol. */
export interface Reply {
  /** The text of the reply. */
  text?: string;
  /** Sent as a forced tool call, which some models use for JSON. Anthropic only. */
  asTool?: boolean;
  /** The model's thinking, in the form of the protocol. */
  thinks?: string;
  ends?: 'whole' | 'cutOff' | 'refused';
  usage?: { input: number; output: number } | null;
  /** An HTTP error instead, with the protocol's error code. */
  error?: { status: number; code: string; message?: string; headers?: Record<string, string> };
  /** An error within the stream, after the text. */
  streamError?: { code: string };
  /** Cuts the connection after this many characters. */
  cutAfter?: number;
  /** The earliest time of the cut. */
  cutWhen?: Promise<void>;
  /** No response at all. */
  silent?: boolean;
  /** A raw response instead of the protocol's. */
  raw?: { status: number; headers: Record<string, string>; body: string };
}

export type Protocol = 'anthropic' | 'openai' | 'google' | 'compatible';

export const protocols: Protocol[] = ['anthropic', 'openai', 'google', 'compatible'];

/** The protocol of a request, by its path. */
export function protocolOf(path: string): Protocol | null {
  if (path.endsWith('/messages')) return 'anthropic';
  if (path.endsWith('/responses')) return 'openai';
  if (path.includes(':streamGenerateContent')) return 'google';
  return path.endsWith('/chat/completions') ? 'compatible' : null;
}

/** A provider's list of models in its own form. */
export function printModels(protocol: Protocol, names: string[]): string {
  const created = 1_750_000_000;
  const lists = {
    anthropic: {
      data: names.map((id, index) => ({
        type: 'model',
        id,
        display_name: id,
        created_at: new Date((created - index) * 1000).toISOString(),
      })),
      has_more: false,
      first_id: names[0] ?? null,
      last_id: names.at(-1) ?? null,
    },
    openai: {
      object: 'list',
      data: names.map((id, index) => ({ id, object: 'model', created: created - index, owned_by: 'system' })),
    },
    google: {
      models: names.map((name) => ({
        name: `models/${name}`,
        version: '001',
        displayName: name,
        inputTokenLimit: 1_048_576,
        outputTokenLimit: 65_536,
        supportedGenerationMethods: ['generateContent', 'countTokens'],
      })),
    },
    compatible: {
      object: 'list',
      data: names.map((id) => ({ id, object: 'model', created: 0, owned_by: 'library' })),
    },
  };
  return JSON.stringify(lists[protocol]);
}

const event = (data: unknown, name?: string): string =>
  `${name ? `event: ${name}\n` : ''}data: ${JSON.stringify(data)}\n\n`;

/** A text is streamed in at least two pieces, and in few, because each takes time. */
const mostPieces = 100;
const pieceLength = (text: string): number => Math.max(200, Math.ceil(text.length / mostPieces));

function pieces(text: string): string[] {
  const length = pieceLength(text);
  return Array.from({ length: Math.ceil(text.length / length) }, (_, index) =>
    text.slice(index * length, (index + 1) * length),
  );
}

/** The lines of a stream, and the place where the text ends. */
interface Stream {
  before: string;
  texts: string[];
  after: string;
}

const usageOf = ({ usage = { input: 5_000, output: 500 } }: Reply) => usage;

function anthropicStream(reply: Reply): Stream {
  const usage = usageOf(reply);
  const named = (data: { type: string; [key: string]: unknown }) => event(data, data.type);
  const thinking = reply.thinks
    ? [
        named({ type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '' } }),
        named({
          type: 'content_block_delta',
          index: 0,
          delta: { type: 'thinking_delta', thinking: reply.thinks },
        }),
        named({ type: 'content_block_stop', index: 0 }),
      ]
    : [];
  const index = thinking.length > 0 ? 1 : 0;
  const reasons = { whole: reply.asTool ? 'tool_use' : 'end_turn', cutOff: 'max_tokens', refused: 'refusal' };
  const block = reply.asTool
    ? { type: 'tool_use', id: 'toolu_1', name: 'json', input: {} }
    : { type: 'text', text: '' };
  const delta = (text: string) =>
    reply.asTool ? { type: 'input_json_delta', partial_json: text } : { type: 'text_delta', text };
  return {
    before: [
      named({
        type: 'message_start',
        message: {
          id: 'msg_1',
          type: 'message',
          role: 'assistant',
          model: 'scripted',
          content: [],
          stop_reason: null,
          stop_sequence: null,
          usage: { input_tokens: usage?.input ?? 0, output_tokens: 1 },
        },
      }),
      ...thinking,
      named({ type: 'content_block_start', index, content_block: block }),
    ].join(''),
    texts: pieces(reply.text ?? '').map((text) =>
      named({ type: 'content_block_delta', index, delta: delta(text) }),
    ),
    after: reply.streamError
      ? named({ type: 'error', error: { type: reply.streamError.code, message: 'Something happened' } })
      : [
          named({ type: 'content_block_stop', index }),
          named({
            type: 'message_delta',
            delta: { stop_reason: reasons[reply.ends ?? 'whole'], stop_sequence: null },
            usage: { output_tokens: usage?.output ?? 0 },
          }),
          named({ type: 'message_stop' }),
        ].join(''),
  };
}

function openaiStream(reply: Reply): Stream {
  const usage = usageOf(reply);
  const isRefused = reply.ends === 'refused';
  const part = isRefused ? 'refusal' : 'output_text';
  const message = { id: 'msg_1', type: 'message', role: 'assistant', status: 'in_progress', content: [] };
  const response = {
    id: 'resp_1',
    object: 'response',
    created_at: 1_750_000_000,
    model: 'scripted',
    output: [],
    status: 'in_progress',
  };
  const numbers = {
    input_tokens: usage?.input ?? 0,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: usage?.output ?? 0,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: (usage?.input ?? 0) + (usage?.output ?? 0),
  };
  const content = isRefused
    ? { type: 'refusal', refusal: reply.text ?? '' }
    : { type: 'output_text', text: reply.text ?? '', annotations: [] };
  const done = { ...message, status: 'completed', content: [content] };
  const last =
    reply.ends === 'cutOff'
      ? event({
          type: 'response.incomplete',
          response: {
            ...response,
            status: 'incomplete',
            incomplete_details: { reason: 'max_output_tokens' },
            usage: numbers,
          },
        })
      : event({
          type: 'response.completed',
          response: { ...response, status: 'completed', output: [done], usage: numbers },
        });
  return {
    before: [
      event({ type: 'response.created', response }),
      event({ type: 'response.output_item.added', output_index: 0, item: message }),
    ].join(''),
    texts: pieces(reply.text ?? '').map((delta) =>
      event({ type: `response.${part}.delta`, item_id: 'msg_1', output_index: 0, content_index: 0, delta }),
    ),
    after: reply.streamError
      ? event({
          type: 'error',
          sequence_number: 9,
          error: {
            type: reply.streamError.code,
            code: reply.streamError.code,
            message: 'Something happened',
            param: null,
          },
        })
      : [
          ...(isRefused
            ? [
                event({
                  type: 'response.refusal.done',
                  item_id: 'msg_1',
                  output_index: 0,
                  content_index: 0,
                  refusal: reply.text ?? '',
                }),
              ]
            : []),
          event({ type: 'response.output_item.done', output_index: 0, item: done }),
          last,
        ].join(''),
  };
}

function googleStream(reply: Reply): Stream {
  const usage = usageOf(reply);
  const chunk = (parts: unknown[], more = {}) =>
    event({
      candidates: [{ content: { parts, role: 'model' }, index: 0, ...more }],
      modelVersion: 'scripted',
    });
  const reasons = { whole: 'STOP', cutOff: 'MAX_TOKENS', refused: 'SAFETY' };
  return {
    before: reply.thinks ? chunk([{ text: reply.thinks, thought: true }]) : '',
    texts: pieces(reply.text ?? '').map((text) => chunk([{ text }])),
    after: reply.streamError
      ? event({ error: { code: 503, message: 'Something happened', status: reply.streamError.code } })
      : event({
          candidates: [
            {
              content: { parts: [{ text: '' }], role: 'model' },
              finishReason: reasons[reply.ends ?? 'whole'],
              index: 0,
            },
          ],
          ...(usage && {
            usageMetadata: {
              promptTokenCount: usage.input,
              candidatesTokenCount: usage.output,
              totalTokenCount: usage.input + usage.output,
            },
          }),
          modelVersion: 'scripted',
        }),
  };
}

function compatibleStream(reply: Reply): Stream {
  const usage = usageOf(reply);
  const chunk = (delta: unknown, finish: string | null = null, more = {}) =>
    event({
      id: 'chatcmpl-1',
      object: 'chat.completion.chunk',
      created: 1_750_000_000,
      model: 'scripted',
      choices: [{ index: 0, delta, finish_reason: finish }],
      ...more,
    });
  const reasons = { whole: 'stop', cutOff: 'length', refused: 'content_filter' };
  return {
    before:
      chunk({ role: 'assistant', content: '' }) +
      (reply.thinks ? chunk({ reasoning_content: reply.thinks }) : ''),
    texts: pieces(reply.text ?? '').map((content) => chunk({ content })),
    after: reply.streamError
      ? event({
          error: {
            message: 'Something happened',
            type: reply.streamError.code,
            code: reply.streamError.code,
          },
        })
      : [
          chunk({}, reasons[reply.ends ?? 'whole']),
          ...(usage
            ? [
                event({
                  id: 'chatcmpl-1',
                  object: 'chat.completion.chunk',
                  created: 1_750_000_000,
                  model: 'scripted',
                  choices: [],
                  usage: {
                    prompt_tokens: usage.input,
                    completion_tokens: usage.output,
                    total_tokens: usage.input + usage.output,
                  },
                }),
              ]
            : []),
          'data: [DONE]\n\n',
        ].join(''),
  };
}

const streams = {
  anthropic: anthropicStream,
  openai: openaiStream,
  google: googleStream,
  compatible: compatibleStream,
};

/** The pieces of a stream in order; fewer if the connection is cut. */
export function printStream(protocol: Protocol, reply: Reply): string[] {
  const { before, texts, after } = streams[protocol](reply);
  if (reply.cutAfter === undefined) return [before, ...texts, after];
  return [before, ...texts.slice(0, Math.ceil(reply.cutAfter / pieceLength(reply.text ?? '')))];
}

/** The body of an error in each protocol. */
export function printError(
  protocol: Protocol,
  { status, code, message = 'Something happened' }: NonNullable<Reply['error']>,
): string {
  const bodies = {
    anthropic: { type: 'error', error: { type: code, message } },
    openai: { error: { message, type: code, param: null, code } },
    google: { error: { code: status, message, status: code, details: [] } },
    compatible: { error: { message, type: code, param: null, code } },
  };
  return JSON.stringify(bodies[protocol]);
}
