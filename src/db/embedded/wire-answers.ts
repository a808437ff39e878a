import { type Column, readValue } from './wire-values.ts';

export interface Notification {
  channel: string;
  message: string;
}

/** What PostgreSQL has answered to a few messages. */
export interface Answer {
  rows: Record<string, unknown>[];
  /** What a statement that was prepared will answer with; null unless one was. */
  prepared: Column[] | null;
  /** The last command that was done, such as COMMIT; PostgreSQL does ROLLBACK instead where something had failed. */
  command: string;
  notifications: Notification[];
  error: Error | null;
}

interface Expected {
  /** What the rows consist of, where the answer does not say it. */
  columns: readonly Column[];
  /** Whether JSON is left as it came. */
  jsonAsBytes: boolean;
}

/** Reads the bytes of an answer; values that are bytes stay where they are. */
export function readAnswer(bytes: Buffer, { columns: known, jsonAsBytes }: Expected): Answer {
  const answer: Answer = { rows: [], prepared: null, command: '', notifications: [], error: null };
  let columns = known;
  let isPrepared = false;
  for (let at = 0; at < bytes.length; ) {
    const type = String.fromCharCode(bytes[at] ?? 0);
    const start = at + 5;
    const end = at + 1 + bytes.readInt32BE(at + 1);
    if (type === 'D') answer.rows.push(readRow(bytes, start, columns, jsonAsBytes));
    else if (type === '1') isPrepared = true;
    else if (type === 'T' || type === 'n') {
      const described = type === 'T' ? readColumns(bytes, start) : [];
      columns = described;
      if (isPrepared) answer.prepared = described;
    } else if (type === 'C') answer.command = bytes.toString('latin1', start, end - 1);
    else if (type === 'A') answer.notifications.push(readNotification(bytes, start));
    else if (type === 'E') answer.error ??= readError(bytes, start);
    at = end;
  }
  return answer;
}

function readRow(
  bytes: Buffer,
  start: number,
  columns: readonly Column[],
  jsonAsBytes: boolean,
): Record<string, unknown> {
  const row: Record<string, unknown> = {};
  let at = start + 2;
  for (const column of columns) {
    const size = bytes.readInt32BE(at);
    at += 4;
    row[column.name] = size < 0 ? null : readValue(bytes.subarray(at, at + size), column, jsonAsBytes);
    if (size > 0) at += size;
  }
  return row;
}

/** A name and then table, column, type, size, modifier and format, of which the type matters. */
function readColumns(bytes: Buffer, start: number): Column[] {
  const columns: Column[] = [];
  let at = start + 2;
  for (let left = bytes.readUInt16BE(start); left > 0; left -= 1) {
    const nameEnd = bytes.indexOf(0, at);
    columns.push({
      name: bytes.toString('utf8', at, nameEnd),
      type: bytes.readInt32BE(nameEnd + 7),
      isBinary: bytes.readUInt16BE(nameEnd + 17) === 1,
    });
    at = nameEnd + 19;
  }
  return columns;
}

/** The process that has notified comes first; it is always this one. */
function readNotification(bytes: Buffer, start: number): Notification {
  const channelEnd = bytes.indexOf(0, start + 4);
  const messageEnd = bytes.indexOf(0, channelEnd + 1);
  return {
    channel: bytes.toString('utf8', start + 4, channelEnd),
    message: bytes.toString('utf8', channelEnd + 1, messageEnd),
  };
}

/** The fields of an error that this service reads, as the driver of a server calls them. */
const errorFields: Record<string, string> = {
  C: 'code',
  D: 'detail',
  H: 'hint',
  P: 'position',
  t: 'table_name',
  n: 'constraint_name',
};

function readError(bytes: Buffer, start: number): Error {
  const fields: Record<string, string> = {};
  let message = 'the database failed without a word';
  for (let at = start; bytes[at] !== 0; ) {
    const end = bytes.indexOf(0, at + 1);
    const letter = String.fromCharCode(bytes[at] ?? 0);
    const text = bytes.toString('utf8', at + 1, end);
    const name = errorFields[letter];
    if (letter === 'M') message = text;
    else if (name) fields[name] = text;
    at = end + 1;
  }
  return Object.assign(new Error(message), fields);
}
