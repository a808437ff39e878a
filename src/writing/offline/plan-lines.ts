import type { FileFacts } from '../../reading/facts.ts';
import type { DiffLine, FileDiff } from '../../reading/file-diff.ts';
import { type Block, blocksOf, isWorthMention, type Sides, squeezeAll } from './compare-lines.ts';
import { importsIn } from './import-lines.ts';
import type { Told, Unit } from './outline.ts';
import { shownCode } from './plan-code-lines.ts';
import { shownText, shownWords } from './plan-passages.ts';
import {
  commentsIn,
  isDocumentPath,
  keyOfLine,
  markedIn,
  readsAsDocument,
  spokenIn,
  wordsOnlyIn,
} from './prose-lines.ts';
import type { TitleWords } from './title-nearness.ts';

/** What the lines themselves say, for a file of which nothing else is known. Nothing is concluded: they are shown. */
export function shownLines(
  file: FileFacts,
  diff: FileDiff | undefined,
  sides: Sides,
  title: TitleWords,
  tellsParts = file.kind !== 'test',
): Unit[] {
  if (!diff || file.skipped !== null || file.status === 'added' || file.status === 'removed') return [];
  const blocks = blocksOf(diff).filter(({ removed, added }) => squeezeAll(removed) !== squeezeAll(added));
  // What tests work on is no document, whatever it is written in.
  if (file.kind === 'test' && isDocumentPath(file.path)) return [];
  if (readsAsDocument(file)) return shownText(diff, blocks, sides);
  const words = wordsOnlyIn(diff);
  const imports = importsIn(diff);
  const isCode = (line: DiffLine): boolean => !words.has(keyOfLine(line)) && !imports.has(keyOfLine(line));
  const only = (isMeant: (line: DiffLine) => boolean): Block[] =>
    blocks
      .map(({ removed, added, ...rest }) => ({
        ...rest,
        removed: removed.filter(isMeant),
        added: added.filter(isMeant),
      }))
      .filter(({ removed, added }) => removed.length + added.length > 0);
  const code = only(isCode);
  const marked = markedIn(diff);
  // Lines that say something, apart from comments and imports.
  const telling = blocks.map(({ removed, added }) => {
    const tells = (line: DiffLine): boolean =>
      isWorthMention(line.text) && !marked.has(keyOfLine(line)) && !imports.has(keyOfLine(line));
    return { removed: removed.filter(tells), added: added.filter(tells) };
  });
  const units = shownCode(diff, code, telling, sides, title);
  // A part of what a test does tells nothing of what it shows.
  const shown = tellsParts ? units : units.filter(({ told }) => !told.some(isPartOf));
  if (shown.length > 0) return shown;
  const said = spokenIn(diff);
  const spoken = only((line) => said.has(keyOfLine(line)));
  return shownWords(file, spoken, commentsIn(diff));
}

const isPartOf = ({ statement }: Told): boolean =>
  ('isPart' in statement && statement.isPart) ||
  (statement.say === 'lines' && (statement.hasMore.added || statement.hasMore.removed));
