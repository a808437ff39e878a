export interface ServerSentEvent {
  event: string;
  id: string;
  // Assertions check the data; a type here would prove nothing.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  data: any;
}

/** The events of a stream as they arrive. Leaving the loop closes the connection. */
export async function* readEvents(
  url: string,
  headers: Record<string, string>,
): AsyncGenerator<ServerSentEvent> {
  const response = await fetch(url, { headers });
  if (response.status !== 200) throw new Error(`${url} answered ${response.status}`);
  let text = '';
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk;
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const fields = new Map(text.slice(0, end).split('\n').map(splitField));
      text = text.slice(end + 2);
      const data = fields.get('data');
      if (data === undefined) continue;
      yield { event: fields.get('event') ?? '', id: fields.get('id') ?? '', data: JSON.parse(data) };
    }
  }
}

function splitField(line: string): [string, string] {
  const colon = line.indexOf(': ');
  return [line.slice(0, colon), line.slice(colon + 2)];
}
