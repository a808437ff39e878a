import type { Edit, FileFacts } from '../../reading/facts.ts';
import { plainText } from '../plain-text.ts';
import { namesPerList, type Statement, type Told, tell } from './outline.ts';

const importing = /^(?:import|from|use|export \*|export \{.*\} from|const .* = require\(|#include|require)\b/;

/** What single lines show, told for each function; the reason somebody gave in a comment comes before the rest. */
export function editStatements(file: FileFacts): Told[] {
  const types = new Set(file.symbols.filter(({ kind }) => kind === 'type').map(({ name }) => name));
  const isTelling = (edit: Edit) =>
    !importing.test(edit.text) && !(edit.kind === 'conditionAdded' && /^\w+$/.test(edit.text));
  const isNew = new Set(file.symbols.filter(({ change }) => change === 'added').map(({ name }) => name));
  const gone = new Set(file.symbols.filter(({ change }) => change === 'removed').map(({ name }) => name));
  const declared = file.symbols
    .filter(({ change }) => change === 'signatureChanged' || change === 'renamed')
    .map(({ evidence }) => evidence);
  const isDeclaration = ({ evidence }: Edit) =>
    declared.some(
      ({ startLine, endLine, side }) =>
        evidence.side === side &&
        evidence.startLine >= startLine &&
        evidence.endLine <= Math.min(endLine, startLine + 3),
    );
  const explanations = new Set(file.symbols.map(({ explanation }) => explanation));
  const edits = file.edits.filter((edit) => {
    if (edit.kind === 'comment') return !explanations.has(edit.text);
    if (edit.kind === 'replaced' && isDeclaration(edit)) return false;
    if (edit.symbol !== null && gone.has(edit.symbol)) return false;
    // What an interface names is declared there, not called.
    if (edit.kind.startsWith('call') && edit.symbol !== null && types.has(edit.symbol)) return false;
    return (
      edit.kind === 'errorAdded' || edit.kind === 'heading' || edit.symbol === null || !isNew.has(edit.symbol)
    );
  });
  const telling = edits.filter(isTelling);
  const unique = new Map(
    (telling.length > 0 ? telling : edits).map((edit) => [`${edit.kind} ${edit.before} ${edit.text}`, edit]),
  );
  const groups = [...Map.groupBy(unique.values(), ({ symbol }) => symbol)];
  const told = groups.flatMap(([symbol, same]) => editsIn(symbol, same, file.kind === 'documentation'));
  // One voice from the code beside those that explain what is new; a row of quotations is not read.
  const remarks = told
    .filter(({ statement }) => statement.say === 'remarks')
    .slice(explanations.size > 1 ? 1 : 2);
  return told.filter((one) => !remarks.includes(one));
}

function editsIn(symbol: string | null, edits: Edit[], isText: boolean): Told[] {
  const of = (...kinds: Edit['kind'][]) => edits.filter(({ kind }) => kinds.includes(kind));
  const placesOf = (some: Edit[]) => some.slice(0, 3).map(({ evidence }) => evidence);
  const told: Told[] = [];
  const add = (statement: Statement, some: Edit[]) => told.push(tell(statement, placesOf(some)));

  const headings = of('heading');
  if (headings.length > 0) {
    const names = headings.slice(0, namesPerList).map(({ text }) => plainText(text));
    add({ say: 'sections', headings: names, hasMore: headings.length > names.length }, headings);
  }
  for (const edit of of('textAdded').slice(0, 1)) {
    const quote = plainText(edit.text);
    // Where a link goes on from the line before, what is left of it is no sentence.
    if (quote.length >= 20 && !quote.includes('](')) add({ say: 'addsText', quote }, [edit]);
  }
  for (const edit of of('comment').slice(0, 1)) {
    const quote = plainText(edit.text);
    told.push(
      tell(
        { say: 'remarks', symbol, quote },
        [edit.evidence],
        [{ speaker: symbol ?? edit.evidence.fileName, where: 'code', text: quote }],
      ),
    );
  }
  for (const edit of of('replaced').slice(0, 2)) {
    const before = edit.before ?? '';
    add(
      isText
        ? { say: 'rewordedText', before, after: edit.text }
        : { say: 'replaced', symbol, before, after: edit.text },
      [edit],
    );
  }
  for (const edit of of('errorAdded').slice(0, 1))
    add({ say: 'raises', symbol, message: messageOf(edit) }, [edit]);
  const conditions = of('conditionAdded').slice(0, 2);
  if (conditions.length > 0)
    add({ say: 'checks', symbol, conditions: conditions.map(({ text }) => text) }, conditions);
  else
    for (const edit of of('conditionRemoved').slice(0, 1))
      add({ say: 'dropsCheck', symbol, condition: edit.text }, [edit]);
  addCalls(symbol, of('callAdded'), of('callRemoved'), add);
  const added = of('lineAdded');
  const removed = of('lineRemoved');
  if (added.length > 0)
    add({ say: 'addsLines', symbol, lines: added.slice(0, 3).map(({ text }) => text) }, added);
  if (removed.length > 0)
    add({ say: 'dropsLines', symbol, lines: removed.slice(0, 3).map(({ text }) => text) }, removed);
  return told;
}

/** An error's message, without the full stop that would end our own sentence too early. */
export const messageOf = ({ text }: Edit): string => plainText(text).replace(/\.$/, '');

/** A name that is called no longer in one place and newly in another was only moved. */
function addCalls(
  symbol: string | null,
  added: Edit[],
  removed: Edit[],
  add: (statement: Statement, some: Edit[]) => void,
): void {
  const gone = new Set(removed.map(({ text }) => text));
  const now = new Set(added.map(({ text }) => text));
  const names = [...now].filter((name) => !gone.has(name)).slice(0, 3);
  const instead = [...gone].filter((name) => !now.has(name)).slice(0, 2);
  if (names.length > 0) add({ say: 'calls', symbol, names, instead }, added);
  else if (instead.length > 0) add({ say: 'calls', symbol, names, instead }, removed);
}
