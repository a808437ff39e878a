import { readdir, readFile } from 'node:fs/promises';
import type { Recordings, SamplePlace } from './actions/deps.ts';
import { loadPrompts } from './open-writing.ts';
import { packageFolder } from './version.ts';
import { createRecordedModel, type Recording, type ReplyAnew } from './writing/ai/recorded-model.ts';

const shipped = new URL('samples/', packageFolder);

/** The recorded replies about one pull request in one language. */
export interface RecordedSample {
  article: Recording;
  questions: (Recording & { text: string })[];
}

/** The space for a part, so that the largest of the samples is read in parts. */
const partTokens = 12_000;

interface Options {
  folder?: URL;
  /** Makes the replies that are not recorded, for recording them. */
  replyAnew?: (place: SamplePlace, sample: RecordedSample, recording: Recording) => ReplyAnew;
}

/** Reads the replies about the samples when they are first needed. */
export function openRecordings({ folder = shipped, replyAnew }: Options = {}): Recordings {
  const read = async (place: SamplePlace): Promise<RecordedSample | null> => {
    const file = await readFile(fileOf(folder, place), 'utf8').catch(() => null);
    return file === null ? null : JSON.parse(file);
  };
  return {
    async numbersIn({ owner, repo }) {
      const files = await readdir(folderOf(folder, owner, repo)).catch(() => []);
      return [...new Set(files.map((name) => Number.parseInt(name, 10)))];
    },
    questionsAbout: async (place) => (await read(place))?.questions.map(({ text }) => text) ?? null,
    async modelsFor(place, question) {
      const sample = await read(place);
      const recording =
        question === undefined ? sample?.article : sample?.questions.find(({ text }) => text === question);
      if (!sample || !recording) return null;
      const model = createRecordedModel(recording, replyAnew?.(place, sample, recording));
      const { prompts, version: promptVersion } = loadPrompts();
      return {
        ...{ writer: model, judge: model, partReader: model, prompts, promptVersion },
        ...{ partTokens, parallelCalls: 1, looks: 2 },
        recorded: { seed: [place.owner, place.repo, place.number, place.languageCode, question].join(' ') },
      };
    },
  };
}

const folderOf = (folder: URL, owner: string, repo: string): URL =>
  new URL(`${owner}+${repo}.recorded/`, folder);

export const fileOf = (folder: URL, { owner, repo, number, languageCode }: SamplePlace): URL =>
  new URL(`${number}.${languageCode}.json`, folderOf(folder, owner, repo));
