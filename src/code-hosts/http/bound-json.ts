interface Bounds {
  bytes: number;
  /** Objects, lists and what stands in them: a short text may hold so many that they fill the memory. */
  values: number;
}

const [quote, backslash, comma, brace, bracket] = [...'"\\,{['].map((sign) => sign.charCodeAt(0));

/** Lets JSON through up to its bounds, and breaks it off beyond them. */
export function boundJson({ bytes: mostBytes, values: mostValues }: Bounds): {
  stream: TransformStream<Uint8Array, Uint8Array>;
  isExceeded: () => boolean;
} {
  let bytes = 0;
  let values = 0;
  let isText = false;
  let isEscaped = false;
  const isExceeded = (): boolean => bytes > mostBytes || values > mostValues;
  const stream = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      for (const sign of chunk) {
        if (isEscaped) isEscaped = false;
        else if (sign === quote) isText = !isText;
        else if (isText) isEscaped = sign === backslash;
        else if (sign === comma || sign === brace || sign === bracket) values += 1;
      }
      if (isExceeded()) throw new Error('The answer is larger than what is read of one.');
      controller.enqueue(chunk);
    },
  });
  return { stream, isExceeded };
}
