export async function* readEvents(
  stream: ReadableStream<Uint8Array>,
): AsyncGenerator<[id: string, data: string]> {
  // Not every browser can loop over a stream.
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let text = '';
  try {
    while (true) {
      const { done, value } = await reader.read();
      if (done) return;
      const blocks = (text + decoder.decode(value, { stream: true })).split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) {
        const [, id, data] = /^id: (.*)\ndata: (.*)/m.exec(block) ?? [];
        if (id && data) yield [id, data];
      }
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}
