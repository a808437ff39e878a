import { textOf } from '../value-texts.ts';

/** A value as it travels: text as PostgreSQL would read it, bytes as they are, or nothing. */
type WireValue = string | Uint8Array | null;

const binary = 1;

/** What PostgreSQL is asked, one message after another, in the words of its wire protocol (version 3). */
export class WireMessages {
  // Memory of its own, not of the pool that small buffers share, so that it can be handed to another thread.
  #bytes = Buffer.allocUnsafeSlow(512);
  #length = 0;

  /** One or more statements without parameters. */
  query(text: string): this {
    return this.#message('Q', () => this.#text(text));
  }

  /** Prepares a statement; without a name, until the next one that has none. */
  parse(name: string, text: string): this {
    return this.#message('P', () => {
      this.#text(name);
      this.#text(text);
      this.#int16(0);
    });
  }

  describe(name: string): this {
    return this.#message('D', () => this.#text(`S${name}`));
  }

  /** Runs a prepared statement. Its columns come as text but for those that are said to come as bytes. */
  run(name: string, parameters: readonly unknown[], columns: readonly { isBinary: boolean }[]): this {
    const values = parameters.map(
      (value): WireValue => (value instanceof Uint8Array ? value : textOf(value)),
    );
    this.#message('B', () => {
      this.#text('');
      this.#text(name);
      this.#int16(values.length);
      for (const value of values) this.#int16(value instanceof Uint8Array ? binary : 0);
      this.#int16(values.length);
      for (const value of values) this.#value(value);
      this.#int16(columns.length);
      for (const { isBinary } of columns) this.#int16(isBinary ? binary : 0);
    });
    return this.#message('E', () => {
      this.#text('');
      this.#int32(0);
    });
  }

  /** Forgets a prepared statement. */
  close(name: string): this {
    return this.#message('C', () => this.#text(`S${name}`));
  }

  /** Ends what belongs together: after an error the rest, up to here, is passed over. */
  sync(): this {
    return this.#message('S', () => {});
  }

  /** All of them. Nothing can be added any more. */
  take(): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.#bytes.buffer, 0, this.#length);
  }

  #message(type: string, write: () => void): this {
    this.#reserve(5);
    this.#length += this.#bytes.write(type, this.#length, 'latin1');
    const start = this.#length;
    this.#length += 4;
    write();
    this.#bytes.writeInt32BE(this.#length - start, start);
    return this;
  }

  #reserve(size: number): void {
    if (this.#length + size <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(this.#bytes.length * 2, this.#length + size));
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }

  #int16(number: number): void {
    this.#reserve(2);
    this.#length = this.#bytes.writeUInt16BE(number, this.#length);
  }

  #int32(number: number): void {
    this.#reserve(4);
    this.#length = this.#bytes.writeInt32BE(number, this.#length);
  }

  #text(text: string): void {
    const size = Buffer.byteLength(text);
    this.#reserve(size + 1);
    this.#length += this.#bytes.write(text, this.#length);
    this.#bytes[this.#length] = 0;
    this.#length += 1;
  }

  #value(value: WireValue): void {
    if (value === null) {
      this.#int32(-1);
      return;
    }
    const size = Buffer.byteLength(value);
    this.#int32(size);
    this.#reserve(size);
    if (typeof value === 'string') this.#bytes.write(value, this.#length);
    else this.#bytes.set(value, this.#length);
    this.#length += size;
  }
}
